import { createSystemExecutor, createTenantExecutor } from './executor.ts';
import { systemSql, tenantSql } from './statements.ts';

const sent: { text: string; values: unknown[] }[] = [];
const queryable = {
  query: async (query: { text: string; values: unknown[] }) => {
    sent.push({ text: query.text, values: query.values });
    return { rows: [], rowCount: 0 };
  },
} as unknown as Parameters<typeof createSystemExecutor>[0];
const system = createSystemExecutor(queryable);

beforeEach(() => {
  sent.length = 0;
});

describe('named parameters', () => {
  it('become positions in the order in which the text first names them', async () => {
    const find = systemSql<never, { limit: number; tenantIds: number[] }>(
      'find',
      'select from t where tenant_id = any($tenantIds::bigint[]) and n < $limit limit $limit',
    );
    await system.run(find, { limit: 3, tenantIds: [1, 2] });
    const text = 'select from t where tenant_id = any($1::bigint[]) and n < $2 limit $2';
    expect(sent).toEqual([{ text, values: ['{1,2}', 3] }]);
  });

  it('come behind the tenant, which stays $1', async () => {
    const find = tenantSql<never, { id: number }>('find', 'select where $id = id and tenant_id = $1');
    await createTenantExecutor(queryable, 7).run(find, { id: 3 });
    expect(sent).toEqual([{ text: 'select where $2 = id and tenant_id = $1', values: [7, 3] }]);
  });

  it('may begin with one another, and are none within a literal', () => {
    type Args = { id: number; ids: number[]; idSpace: number };
    const { text } = systemSql<never, Args>(
      'find',
      `select $ids, '$id it''s $ids', $id::text||'$', $idSpace, e.a$id`,
    );
    expect(text).toBe(`select $1, '$id it''s $ids', $2::text||'$', $3, e.a$id`);
  });

  it.each([
    [{ from: 1 }, 'no value for until'],
    [{ from: 1, until: 2, limit: 3 }, 'no parameter limit'],
  ])('each have a value and no value is without one, or nothing is sent: %j', (values, message) => {
    const find = systemSql<never, object>('find', 'select $from, $until');
    expect(() => system.run(find, values)).toThrow(message);
    expect(sent).toEqual([]);
  });

  it('are checked by the compiler', () => {
    const find = systemSql<never, { from: number }>('find', 'select $from');
    // @ts-expect-error: it has a name
    expect(() => system.run(find, 1)).toThrow();
    // @ts-expect-error: it has no value
    expect(() => system.run(find, {})).toThrow('no value for from');
    // @ts-expect-error: there is no such name
    expect(() => system.run(find, { from: 1, until: 2 })).toThrow('no parameter until');
  });

  it('do not go with positions', () => {
    expect(() => systemSql('find', 'select $from, $1')).toThrow('others without');
    expect(() => tenantSql('find', 'select $from, $2 where tenant_id = $1')).toThrow('others without');
  });
});

it('a statement with more than six parameters does not take them by position', () => {
  expect(() => systemSql('find', 'select $1, $2, $3, $4, $5, $6')).not.toThrow();
  expect(() => systemSql('find', 'select $1, $2, $3, $4, $5, $6, $7')).toThrow('give them names');
  expect(() => tenantSql('find', 'tenant_id = $1 and $2, $3, $4, $5, $6, $7')).toThrow('give them names');
});

it('a statement of a tenant has to name it', () => {
  expect(() => tenantSql('find', 'select where tenant_id = $tenantId')).toThrow('restrict tenant_id to $1');
});
