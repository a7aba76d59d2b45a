import type {
  EntityManager,
  EntitySchema,
  FindOptionsOrder,
  FindOptionsWhere,
  ObjectLiteral,
  Repository,
} from 'typeorm';
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

/** Runs work with TypeORM's manager of one connection. */
export type WithManager = <Result>(work: (manager: EntityManager) => Promise<Result>) => Promise<Result>;

export function createTenantRepository<Row extends TenantRow>(
  withManager: WithManager,
  entity: EntitySchema<Row>,
  tenantId: number,
): TenantRepository<Row> {
  /** A lost database is 503, as for statements. */
  const reach = async <Result>(work: (repository: Repository<Row>) => Promise<Result>): Promise<Result> => {
    try {
      return await withManager((manager) => work(manager.getRepository(entity)));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const scoped = (where: FindOptionsWhere<Row> = {}) =>
    ({ ...where, tenant_id: tenantId }) as FindOptionsWhere<Row>;
  const owned = <Values>(values: Values) =>
    ({ ...values, tenant_id: tenantId }) as unknown as QueryDeepPartialEntity<Row>;
  const update: TenantRepository<Row>['update'] = async (where, values) => {
    const { raw } = await reach((repository) =>
      repository.update(
        scoped(where),
        { ...updatedNow(repository), ...owned(values) },
        { returning: readable(repository) },
      ),
    );
    return raw;
  };
  return {
    find: ({ where, order } = {}) =>
      reach((repository) => repository.find({ where: scoped(where), ...(order ? { order } : {}) })),
    findOne: (where) => reach((repository) => repository.findOne({ where: scoped(where) })),
    async insert(values) {
      const { raw } = await reach((repository) =>
        repository
          .createQueryBuilder()
          .insert()
          .values(owned(values))
          .returning(readable(repository))
          .execute(),
      );
      return raw[0];
    },
    update,
    async updateOne(where, values) {
      const [row] = await update(where, values);
      if (!row) throw new Error(`There is no such row of ${entity.options.tableName}.`);
      return row;
    },
    async delete(where) {
      const { affected } = await reach((repository) => repository.delete(scoped(where)));
      return affected ?? 0;
    },
  };
}

/** The columns that `find` reads too. */
const readable = <Row extends TenantRow>({ metadata }: Repository<Row>): string[] =>
  metadata.columns.flatMap(({ isSelect, propertyName }) => (isSelect ? propertyName : []));

/** TypeORM would take the time at which the transaction began, which may lie before the change that this one waited for. */
function updatedNow<Row extends TenantRow>({ metadata: { updateDateColumn } }: Repository<Row>) {
  return updateDateColumn ? { [updateDateColumn.propertyName]: () => 'clock_timestamp()' } : {};
}
