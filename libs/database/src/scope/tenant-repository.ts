import type { EntityManager, EntitySchema, FindOptionsOrder, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { asUnavailable } from '../pool/connection.ts';

/** A row as the table has it: its properties have the names of the columns. */
export interface TenantRow extends ObjectLiteral {
  tenant_id: number;
}

/** Plain reads and writes of one tenant's rows. Whatever the caller asks for, the tenant is added to it. */
export interface TenantRepository<Row extends TenantRow> {
  find(options?: { where?: FindOptionsWhere<Row>; order?: FindOptionsOrder<Row> }): Promise<Row[]>;
  findOne(where: FindOptionsWhere<Row>): Promise<Row | null>;
  /** The row as stored. */
  insert(values: Omit<Partial<Row>, 'tenant_id'>): Promise<Row>;
  /** The changed rows. Sets the version and the date of update as well; `{}` sets nothing else. */
  update(where: FindOptionsWhere<Row>, values: Omit<Partial<Row>, 'tenant_id'>): Promise<Row[]>;
  /** The same for a row that is there. @throws Error where it isn't */
  updateOne(where: FindOptionsWhere<Row>, values: Omit<Partial<Row>, 'tenant_id'>): Promise<Row>;
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
  const owned = <Values>(values: Values) =>
    ({ ...values, tenant_id: tenantId }) as unknown as QueryDeepPartialEntity<Row>;
  const scoped = (where: FindOptionsWhere<Row> = {}) =>
    ({ ...where, tenant_id: tenantId }) as FindOptionsWhere<Row>;
  const update: TenantRepository<Row>['update'] = async (where, values) => {
    const { raw } = await reach(() => repository.update(scoped(where), owned(values), { returning: '*' }));
    return raw;
  };
  return {
    find: ({ where, order } = {}) =>
      reach(() => repository.find({ where: scoped(where), ...(order ? { order } : {}) })),
    findOne: (where) => reach(() => repository.findOne({ where: scoped(where) })),
    async insert(values) {
      const statement = repository.createQueryBuilder().insert().values(owned(values)).returning('*');
      const { raw } = await reach(() => statement.execute());
      return raw[0];
    },
    update,
    async updateOne(where, values) {
      const [row] = await update(where, values);
      if (!row) throw new Error(`There is no such row of ${repository.metadata.tableName}.`);
      return row;
    },
    async delete(where) {
      const { affected } = await reach(() => repository.delete(scoped(where)));
      return affected ?? 0;
    },
  };
}
