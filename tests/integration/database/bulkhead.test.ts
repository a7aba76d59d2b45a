import { createDatabase, type Database, defineList, systemSql, type TenantScope } from '@frontdesk/database';
import { createMetrics } from '@frontdesk/service';
import { createTestDatabase, eventually, PATIENT_BOUNDS } from '../../support/index.ts';
import { logger, migrations } from './database-world.ts';
import { listThings, ThingEntity } from './things.ts';

const FLOODING = 11;
const OTHER = 12;
const QUEUE = 50;

const lookAtAll = systemSql<{ one: number }>('test_look_at_all', 'select 1 as one');

const readPage = defineList<{ id: number }, never, 'id'>({
  name: 'things',
  from: 'things',
  columns: 'id',
  filters: {},
  sorts: { id: { column: 'id' } },
  defaultSort: 'id',
});

/** A transaction that ends when it is let go. */
interface Slow {
  letGo(): Promise<void>;
}

describe.each([
  ['of statements', undefined],
  ['with entities', [ThingEntity]],
])('a pool %s, while a tenant asks for more than it has', (_name, entities) => {
  let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  let metrics: ReturnType<typeof createMetrics>;
  /** Whose transactions have begun, in this order. */
  let begun: number[];
  let slow: Slow[];

  beforeEach(async () => {
    testDatabase = await createTestDatabase(migrations, 'bulkhead');
    [begun, slow] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(slow.map((one) => one.letGo()));
    await database.stop();
    await testDatabase.drop();
  });

  const open = async (poolMax: number, bounds = {}) => {
    metrics = createMetrics();
    database = createDatabase({
      url: testDatabase.url,
      migrations,
      logger,
      metrics,
      poolMax,
      bounds: { ...PATIENT_BOUNDS, ...bounds },
      ...(entities && { entities }),
    });
    await database.start();
  };

  /** Starts transactions, so many of them that wait in the transaction or for it. */
  const flood = (tenantId: number, transactions: number): Slow[] => {
    const started = Array.from({ length: transactions }, (): Slow => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answer = database.forTenant(tenantId).transaction(async (tx) => {
        begun.push(tenantId);
        await promise;
        // The holder of a connection takes no other one.
        await tx.many(listThings);
        if (entities) await tx.repository(ThingEntity).find();
      });
      return {
        letGo() {
          resolve();
          return answer;
        },
      };
    });
    slow.push(...started);
    return started;
  };
  const begunTogether = (...tenants: number[]) => eventually(() => expect(begun).toEqual(tenants));
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;

  const readEntities = (scope: TenantScope) => scope.repository(ThingEntity).find();
  const asks: [string, (scope: TenantScope) => Promise<unknown>][] = [
    ['statement', (scope) => scope.many(listThings)],
    ['transaction', (scope) => scope.transaction((tx) => tx.many(listThings))],
    ...(entities ? [['read of entities', readEntities] as [string, typeof readEntities]] : []),
  ];

  it('lets it have all connections as long as it is alone', async () => {
    await open(4);
    flood(FLOODING, 4);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
  });

  it('gives others what comes free until they have as much as it has', async () => {
    await open(4);
    const [first, second, third] = flood(FLOODING, 4 + QUEUE);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
    flood(OTHER, 3);
    await first?.letGo();
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING, OTHER);
    await second?.letGo();
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING, OTHER, OTHER);
    await third?.letGo();
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING, OTHER, OTHER, FLOODING);
  });

  it.each(asks)('answers a %s of another one before more of its own', async (_kind, ask) => {
    await open(4);
    const [first] = flood(FLOODING, 4 + QUEUE);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
    const answers = Array.from({ length: 20 }, () => ask(database.forTenant(OTHER)));
    await first?.letGo();
    expect(await Promise.all(answers)).toEqual(Array(20).fill([]));
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING, FLOODING);
  });

  it('lets tenants take turns with a single connection', async () => {
    await open(1);
    const [one, two, three, four] = flood(FLOODING, 4);
    await begunTogether(FLOODING);
    const [five, six] = flood(OTHER, 2);
    for (const next of [one, two, five, three, six, four]) await next?.letGo();
    expect(begun).toEqual([FLOODING, FLOODING, OTHER, FLOODING, OTHER, FLOODING]);
  });

  it('answers workers and consumers, also for that tenant, before its own requests', async () => {
    await open(4);
    const [first] = flood(FLOODING, 4 + QUEUE);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
    const answers = [
      ...Array.from({ length: QUEUE + 1 }, () => database.system.one(lookAtAll)),
      database.system.transaction((tx) => tx.one(lookAtAll)),
      database.forTenantInBackground(FLOODING).many(listThings),
    ];
    await first?.letGo();
    await Promise.all(answers);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING, FLOODING);
  });

  it.each(asks)('refuses a %s of its own at once where 50 wait, and nobody else’s', async (_kind, ask) => {
    await open(4);
    const [first] = flood(FLOODING, 4 + QUEUE);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
    const other = ask(database.forTenant(OTHER));
    const refusal = { code: 'service_unavailable', headers: { 'retry-after': '1' } };
    await expect(ask(database.forTenant(FLOODING))).rejects.toMatchObject(refusal);
    expect(await metric('database_waiting')).toBe(QUEUE + 1);
    expect(await metric('database_refused_total')).toBe(1);
    await first?.letGo();
    expect(await other).toEqual([]);
  });

  it('refuses it a list of what has changed, too, instead of reading since when as the system does', async () => {
    await open(4);
    const [first] = flood(FLOODING, 4 + QUEUE);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
    const other = database.forTenant(OTHER).many(listThings);
    const listed = readPage(database, FLOODING, { page: 1, per_page: 9, sort: 'id', updated_since: 0 }, []);
    const refused = expect(listed).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await metric('database_waiting')).toBe(QUEUE + 1);
    await refused;
    await first?.letGo();
    expect(await other).toEqual([]);
  });

  it('refuses what has waited for its time beside others, and is none the worse for it', async () => {
    await open(2, { tenantWaitMs: 50 });
    const [first, second] = flood(FLOODING, 2);
    await begunTogether(FLOODING, FLOODING);
    const refused = database.forTenant(FLOODING).many(listThings);
    const other = database.forTenant(OTHER).many(listThings);
    const refusal = { code: 'service_unavailable', headers: { 'retry-after': '1' } };
    await expect(refused).rejects.toMatchObject(refusal);
    expect(await metric('database_waiting')).toBe(1);
    await Promise.all([first?.letGo(), second?.letGo()]);
    expect(await other).toEqual([]);
    flood(FLOODING, 2);
    await begunTogether(FLOODING, FLOODING, FLOODING, FLOODING);
  });

  it('serves a tenant that is alone however many wait, for longer than beside others', async () => {
    await open(2, { tenantWaitMs: 1 });
    const all = Array.from({ length: 4 * QUEUE }, () =>
      database.forTenant(FLOODING).transaction((tx) => tx.many(listThings)),
    );
    expect(await Promise.all(all)).toEqual(Array(4 * QUEUE).fill([]));
  });

  it('has all its connections again after statements that failed', async () => {
    await open(2);
    const scope = database.forTenant(FLOODING);
    const failing = Array.from({ length: 10 }, () =>
      scope.transaction(() => Promise.reject(new Error('no'))),
    );
    await Promise.allSettled(failing);
    flood(FLOODING, 2);
    await begunTogether(FLOODING, FLOODING);
  });
});
