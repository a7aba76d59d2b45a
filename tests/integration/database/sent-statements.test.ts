import { systemSql, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { eventually, uniqueTenantId } from '../../support/index.ts';
import { lockCrosswise, openDatabase } from './database-world.ts';

const insertThing = tenantSql<never, { name: string }>(
  'insert_thing',
  'insert into things (tenant_id, name) values ($tenantId, $name)',
);
const insertTwice = tenantSql<never, { name: string }>(
  'insert_thing_twice',
  'insert into things (tenant_id, name) values ($tenantId, $name), ($tenantId, $name)',
);
const insertAnything = tenantSql<never, { name: unknown }>(
  'insert_anything',
  'insert into things (tenant_id, name) values ($tenantId, $name)',
);
const listThings = tenantSql<{ name: string }>(
  'list_things',
  'select name from things where tenant_id = $tenantId order by id',
);
const lockThing = tenantSql<{ id: number }, { name: string }>(
  'lock_thing',
  'select id from things where tenant_id = $tenantId and name = $name for update',
);
const countWaiting = systemSql<{ count: number }>(
  'count_waiting',
  `select count(*) from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock' and query like '%things%for update%'`,
);

const TAKEN = { constraint: 'things_name_unique' };

let world: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  world = await openDatabase();
});
afterAll(() => world.close());

describe('a statement that a transaction sends without waiting', () => {
  it('is there with the commit, in its place among the others', async () => {
    const scope = world.database.forTenant(21);
    await scope.transaction(async (tx) => {
      tx.send(insertThing, { name: 'first' });
      await tx.run(insertThing, { name: 'second' });
      tx.send(insertThing, { name: 'third' });
    });
    expect(await scope.many(listThings)).toEqual([{ name: 'first' }, { name: 'second' }, { name: 'third' }]);
  });

  it('fails the transaction with its own error, whatever came after it', async () => {
    const scope = world.database.forTenant(22);
    const last = scope.transaction(async (tx) => {
      await tx.run(insertThing, { name: 'lost' });
      tx.send(insertTwice, { name: 'double' });
    });
    await expect(last).rejects.toMatchObject(TAKEN);

    const followed = scope.transaction(async (tx) => {
      tx.send(insertTwice, { name: 'double' });
      await tx.run(insertThing, { name: 'lost' });
    });
    await expect(followed).rejects.toMatchObject(TAKEN);
    expect(await scope.many(listThings)).toEqual([]);
  });

  it('fails the transaction also where it can’t be sent at all', async () => {
    const scope = world.database.forTenant(26);
    const unsendable = { self: {} as object };
    unsendable.self = unsendable;
    const halfSent = scope.transaction(async (tx) => {
      await tx.run(insertThing, { name: 'first' });
      tx.send(insertAnything, { name: unsendable });
      tx.send(insertThing, { name: 'third' });
    });
    await expect(halfSent).rejects.toThrow('circular');
    const untold = scope.transaction(async (tx) => {
      await tx.run(insertThing, { name: 'without its event' });
      tx.emit('tenant.updated', { aggregateId: 26, version: 1, data: unsendable as never });
    });
    await expect(untold).rejects.toThrow('circular');
    expect(await scope.many(listThings)).toEqual([]);
  });

  it.each([
    ['it', async (tx: TenantTransaction, name: string) => tx.send(lockThing, { name })],
    [
      'a statement before it',
      async (tx: TenantTransaction, name: string) => {
        const locked = tx.one(lockThing, { name });
        tx.addToCount('things', 1);
        await locked;
      },
    ],
  ])('is run again where %s was the victim of a deadlock', async (_victim, lockSecond) => {
    const scope = world.database.forTenant(uniqueTenantId());
    await scope.run(insertThing, { name: 'a' });
    await scope.run(insertThing, { name: 'b' });
    const first = (tx: TenantTransaction, name: string) => tx.one(lockThing, { name });
    expect(await lockCrosswise(scope, { first, second: lockSecond })).toBe(3);
  });
});

describe('what opens a transaction', () => {
  it('is within it: what it locks stays locked until the commit', async () => {
    const scope = world.database.forTenant(uniqueTenantId());
    await scope.run(insertThing, { name: 'locked' });
    const order: string[] = [];
    let later: Promise<unknown> | undefined;
    await scope.transaction(
      async (_tx, locked) => {
        expect(locked).not.toBeNull();
        later = scope
          .transaction(async (tx) => tx.one(lockThing, { name: 'locked' }))
          .then(() => order.push('the next one'));
        await eventually(async () =>
          expect(await world.database.system.one(countWaiting)).toEqual({ count: 1 }),
        );
        order.push('the work');
      },
      (executor) => executor.maybeOne(lockThing, { name: 'locked' }),
    );
    await later;
    expect(order).toEqual(['the work', 'the next one']);
  });

  it('fails it, and the work does not run', async () => {
    const scope = world.database.forTenant(uniqueTenantId());
    let hasRun = false;
    const failed = scope.transaction(
      async () => {
        hasRun = true;
      },
      (executor) => executor.run(insertTwice, { name: 'double' }),
    );
    await expect(failed).rejects.toMatchObject(TAKEN);
    expect(hasRun).toBe(false);
    expect(await scope.many(listThings)).toEqual([]);
  });
});

it('a transaction whose failure was overlooked is not taken for a commit', async () => {
  const scope = world.database.forTenant(25);
  const overlooked = scope.transaction(async (tx) => {
    await tx.run(insertThing, { name: 'lost' });
    await tx.run(insertTwice, { name: 'double' }).catch(() => {});
  });
  await expect(overlooked).rejects.toMatchObject(TAKEN);
  expect(await scope.many(listThings)).toEqual([]);
});
