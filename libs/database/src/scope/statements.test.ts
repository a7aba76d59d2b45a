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

  it('of a tenant’s statement have the tenant among them, which its scope gives', async () => {
    const find = tenantSql<never, { id: number }>('find', 'select where $id = id and tenant_id = $tenantId');
    await createTenantExecutor(queryable, 7).run(find, { id: 3 });
    expect(sent).toEqual([{ text: 'select where $1 = id and tenant_id = $2', values: [3, 7] }]);
    const list = tenantSql<never>('list', 'select where tenant_id = $tenantId');
    await createTenantExecutor(queryable, 7).run(list);
    expect(sent.at(-1)?.values).toEqual([7]);
  });

  it('of a tenant’s statement can’t name another tenant', () => {
    const executor = createTenantExecutor(queryable, 7);
    const list = tenantSql<never>('list', 'select where tenant_id = $tenantId');
    // @ts-expect-error: it takes nothing
    expect(() => executor.run(list, { tenantId: 8 })).toThrow('no parameter tenantId');
    // @ts-expect-error: nor may it say that it takes one
    const find = tenantSql<never, { id: number; tenantId: number }>('find', 'select $id, $tenantId');
    expect(() => executor.run(find, { id: 3, tenantId: 8 })).toThrow('no parameter tenantId');
    expect(sent).toEqual([]);
  });

  it('of a system’s statement are all the caller’s', async () => {
    const find = systemSql<never, { tenantId: number }>('find', 'select where tenant_id = $tenantId');
    await system.run(find, { tenantId: 8 });
    expect(sent).toEqual([{ text: 'select where tenant_id = $1', values: [8] }]);
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
    [{ from: 1, toString: 2 }, 'no value for until'],
    [{}, 'no value for from'],
  ])('each have a value and no value is without one, or nothing is sent: %j', (values, message) => {
    const find = systemSql<never, Record<string, number>>('find', 'select $from, $until');
    expect(() => system.run(find, values)).toThrow(message);
    expect(sent).toEqual([]);
  });

  it('are checked by the compiler', () => {
    const find = systemSql<never, { from: number }>('find', 'select $from');
    // @ts-expect-error: it has a name
    expect(() => system.run(find, 1)).toThrow('no value for from');
    // @ts-expect-error: it has no value
    expect(() => system.run(find, {})).toThrow('no value for from');
    // @ts-expect-error: there is no such name
    expect(() => system.run(find, { from: 1, until: 2 })).toThrow('no parameter until');
  });

  it('are the only ones: a position is refused', () => {
    for (const text of ['select $1', 'select $from, $1', 'select $tenantId, $2'])
      for (const declare of [() => systemSql('find', text), () => tenantSql('find', text)])
        expect(declare).toThrow(/^Statement find has a parameter without a name: \$[12]\.$/);
  });
});
