import {
  createDatabase,
  type Database,
  systemSql,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { PATIENT_BOUNDS } from '../../support/index.ts';
import { lockCrosswise, logger, migrations, openDatabase } from './database-world.ts';
import { listThings, ThingEntity } from './things.ts';

const insertThing = tenantSql<{ id: number }, { name: string }>(
  'insert_thing',
  'insert into things (tenant_id, name) values ($tenantId, $name) returning id',
);
const lockThing = tenantSql<{ id: number }, { name: string }>(
  'lock_thing',
  'select id from things where tenant_id = $tenantId and name = $name for update',
);

let world: Awaited<ReturnType<typeof openDatabase>>;
let database: Database;

beforeAll(async () => {
  world = await openDatabase();
  database = createDatabase({
    url: world.url,
    migrations,
    logger,
    bounds: PATIENT_BOUNDS,
    entities: [ThingEntity],
  });
  await database.start();
});
afterAll(async () => {
  await database.stop();
  await world.close();
});

describe('a tenant’s scope', () => {
  it('sees its own rows alone, by statements and by repository', async () => {
    const [one, two] = [database.forTenant(11), database.forTenant(12)];
    const { id } = await one.one(insertThing, { name: 'mine' });
    const theirs = await two.repository(ThingEntity).insert({ name: 'theirs' });
    expect(theirs).toEqual({ tenant_id: 12, id: expect.any(Number), name: 'theirs' });

    expect(await one.many(listThings)).toEqual([{ name: 'mine' }]);
    expect(await two.many(listThings)).toEqual([{ name: 'theirs' }]);
    expect(await two.repository(ThingEntity).findOne({ id })).toBeNull();
    expect(await two.repository(ThingEntity).findOne({ id, tenant_id: 11 })).toBeNull();
    expect(await two.repository(ThingEntity).update({ id, tenant_id: 11 }, { name: 'stolen' })).toEqual([]);
    expect(await two.repository(ThingEntity).delete({ id })).toBe(0);
    const mine = one.repository(ThingEntity);
    expect(await mine.update({ id }, { name: 'mine' })).toEqual([{ tenant_id: 11, id, name: 'mine' }]);
    expect(await mine.find()).toEqual([{ tenant_id: 11, id, name: 'mine' }]);
  });

  it('rolls everything back when the work throws', async () => {
    const scope = database.forTenant(13);
    await expect(
      scope.transaction(async (tx) => {
        await tx.run(insertThing, { name: 'lost' });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await scope.many(listThings)).toEqual([]);
  });

  it('runs the victim of a deadlock again', async () => {
    const scope = database.forTenant(14);
    await scope.run(insertThing, { name: 'a' });
    await scope.run(insertThing, { name: 'b' });
    const lock = (tx: TenantTransaction, name: string) => tx.one(lockThing, { name });
    expect(await lockCrosswise(scope, { first: lock, second: lock })).toBe(3);
  });
});

describe('the pool', () => {
  it('never takes more connections than it is allowed, and all of those', async () => {
    const url = new URL(world.url);
    url.searchParams.set('application_name', 'small');
    const countOwn = systemSql<{ count: number }>(
      'count_own',
      `select count(*) from pg_stat_activity where application_name = 'small'`,
    );
    const small = createDatabase({ url: url.href, migrations, logger, bounds: PATIENT_BOUNDS, poolMax: 2 });
    await small.start();
    const { promise: areTwo, resolve: meet } = Promise.withResolvers<void>();
    let underWay = 0;
    const count = () =>
      small.system.transaction(async (tx) => {
        underWay += 1;
        if (underWay === 2) meet();
        await areTwo;
        const seen = [underWay, (await tx.one(countOwn)).count];
        underWay -= 1;
        return seen;
      });
    const seen = await Promise.all(Array.from({ length: 12 }, count));
    await small.stop();
    expect(Math.max(...seen.flat())).toBe(2);
  });

  it('503 where the server takes no writes, and that connection is left', async () => {
    const writer = createDatabase({
      url: world.url,
      migrations,
      logger,
      bounds: PATIENT_BOUNDS,
      poolMax: 1,
      entities: [ThingEntity],
    });
    await writer.start();
    const refuse = systemSql<unknown>(
      'refuse_writes',
      `select set_config('default_transaction_read_only', 'on', false)`,
    );
    const scope = writer.forTenant(15);
    const refused = { code: 'service_unavailable', headers: { 'retry-after': '1' } };
    const writes = [
      () => scope.transaction((tx) => tx.run(insertThing, { name: 'written' })),
      () => scope.transaction(async (tx) => tx.send(insertThing, { name: 'sent' })),
      () => scope.run(insertThing, { name: 'alone' }),
      () => scope.repository(ThingEntity).insert({ name: 'as an entity' }),
    ];
    for (const write of writes) {
      // The setting goes with its connection.
      await writer.system.one(refuse);
      await expect(write()).rejects.toMatchObject(refused);
      await write();
    }
    const names = (await scope.many(listThings)).map(({ name }) => name);
    expect(names).toEqual(['written', 'sent', 'alone', 'as an entity']);
    await writer.stop();
  });

  it.each([
    ['of statements', undefined],
    ['with entities', [ThingEntity]],
  ])('503 when a connection of a pool %s is lost; the next one has another', async (_name, entities) => {
    const options = { url: world.url, migrations, logger, bounds: PATIENT_BOUNDS, poolMax: 1 };
    const lost = createDatabase({ ...options, ...(entities && { entities }) });
    await lost.start();
    const terminate = systemSql<unknown>('terminate_self', 'select pg_terminate_backend(pg_backend_pid())');
    const losses = [
      () => lost.system.run(terminate),
      () => lost.system.transaction((tx) => tx.run(terminate)),
    ];
    for (const lose of losses) {
      await expect(lose()).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(await lost.forTenant(13).transaction((tx) => tx.many(listThings))).toEqual([]);
    }
    await lost.stop();
  });
});
