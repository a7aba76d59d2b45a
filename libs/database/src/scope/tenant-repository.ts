import type { EntityManager, EntitySchema, FindOptionsOrder, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { asUnavailable } from '../pool/connection.ts';

export interface TenantRow extends ObjectLiteral {
  tenantId: number;
}

/** Plain reads and writes of one tenant's rows. Whatever the caller asks for, the tenant is added to it. */
export interface TenantRepository<Row extends TenantRow> {
  find(options?: { where?: FindOptionsWhere<Row>; order?: FindOptionsOrder<Row> }): Promise<Row[]>;
  findOne(where: FindOptionsWhere<Row>): Promise<Row | null>;
  /** The row as stored, with what the database filled in. */
  insert(values: Omit<Partial<Row>, 'tenantId'>): Promise<Row>;
  /** Number of rows changed. */
  update(where: FindOptionsWhere<Row>, values: Omit<Partial<Row>, 'tenantId'>): Promise<number>;
  /** Number of rows removed. */
  delete(where: FindOptionsWhere<Row>): Promise<number>;
}

export function createTenantRepository<Row extends TenantRow>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  tenantId: number,
  holding: <Result>(work: () => Promise<Result>) => Promise<Result>,
): TenantRepository<Row> {
  const repository = manager.getRepository(entity);
  /** Holds a connection for the query. A lost database is 503, as for statements. */
  const reach = async <Result>(query: () => Promise<Result>): Promise<Result> => {
    try {
      return await holding(query);
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const scoped = (where: FindOptionsWhere<Row> = {}) => ({ ...where, tenantId }) as FindOptionsWhere<Row>;
  return {
    find: ({ where, order } = {}) =>
      reach(() => repository.find({ where: scoped(where), ...(order ? { order } : {}) })),
    findOne: (where) => reach(() => repository.findOne({ where: scoped(where) })),
    async insert(values) {
      const row = { ...values, tenantId } as unknown as QueryDeepPartialEntity<Row>;
      const { generatedMaps } = await reach(() => repository.insert(row));
      return { ...row, ...generatedMaps[0] } as unknown as Row;
    },
    async update(where, values) {
      const { affected } = await reach(() =>
        repository.update(scoped(where), { ...values, tenantId } as unknown as QueryDeepPartialEntity<Row>),
      );
      return affected ?? 0;
    },
    async delete(where) {
      const { affected } = await reach(() => repository.delete(scoped(where)));
      return affected ?? 0;
    },
  };
}
