import {
  createDatabase,
  type Database,
  type Migration,
  type QueryRunner,
  sharedMigrations,
  systemSql,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import {
  createMergeRewriter,
  currentCustomer,
  type Merge,
  mergedCustomersMigrations,
  REWRITTEN_TOGETHER,
  saveMerges,
} from '@frontdesk/merges';
import fc from 'fast-check';
import {
  createTestDatabase,
  eventually,
  logger,
  PATIENT_BOUNDS,
  uniqueTenantId,
} from '../../support/index.ts';

/** Rows of a service that name customers. */
class CreateNotes1790000001002 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create table notes (tenant_id bigint, id bigint generated always as identity, customer_id bigint, primary key (tenant_id, id))',
    );
  }
}

const migrations = [...sharedMigrations, ...mergedCustomersMigrations, CreateNotes1790000001002];

const insertNotes = tenantSql<never, { customerId: number; count: number }>(
  'test_notes_insert',
  'insert into notes (tenant_id, customer_id) select $tenantId, $customerId from generate_series(1, $count::int)',
);
const countNotes = tenantSql<{ customer_id: number; count: number }>(
  'test_notes_count',
  'select customer_id, count(*) as count from notes where tenant_id = $tenantId group by 1 order by 1',
);
const rewriteNotes = tenantSql<never, Merge>(
  'test_notes_rewrite',
  `update notes n set customer_id = $mergedInto from (
     select id from notes where tenant_id = $tenantId and customer_id = $id order by id limit ${REWRITTEN_TOGETHER} for update
   ) old where n.tenant_id = $tenantId and n.id = old.id`,
);
const findCurrent = tenantSql<{ id: number }, { ids: number[] }>(
  'test_current_customers',
  `select ${currentCustomer('$tenantId', 'given.id')} as id from unnest($ids::bigint[]) with ordinality as given (id, n) order by n`,
);
const dueIn = tenantSql<{ id: number; seconds: number | null }>(
  'test_merges_due',
  `select id, extract(epoch from rewrite_due_at - now())::float8 as seconds from merged_customers
   where tenant_id = $tenantId order by id`,
);
/** As if so much time had passed. */
const passTime = tenantSql<never, { seconds: number }>(
  'test_merges_earlier',
  `update merged_customers set merged_at = merged_at - $seconds::int * interval '1 s',
     rewrite_due_at = rewrite_due_at - $seconds::int * interval '1 s' where tenant_id = $tenantId`,
);
const forget = systemSql<never>('test_merges_forget', 'delete from merged_customers');

let database: Database;
let drop: () => Promise<void>;
let tenant: number;
beforeAll(async () => {
  const created = await createTestDatabase(migrations, 'merges');
  drop = created.drop;
  database = createDatabase({ url: created.url, migrations, logger, bounds: PATIENT_BOUNDS });
  await database.start();
});
beforeEach(async () => {
  await database.system.run(forget);
  tenant = uniqueTenantId();
});
afterAll(async () => {
  await database.stop();
  await drop();
});

const scope = (id = tenant) => database.forTenant(id);
const save = (...merges: [id: number, mergedInto: number][]) =>
  scope().transaction((tx) =>
    saveMerges(
      tx,
      merges.map(([id, mergedInto]) => ({ id, mergedInto })),
    ),
  );
const current = async (ids: number[]) => (await scope().many(findCurrent, { ids })).map(({ id }) => id);
const note = (customerId: number, count = 1, of = tenant) =>
  scope(of).run(insertNotes, { customerId, count });
const notes = async (of = tenant) =>
  Object.fromEntries(
    (await scope(of).many(countNotes)).map(({ customer_id, count }) => [customer_id, count]),
  );
const due = async () =>
  Object.fromEntries((await scope().many(dueIn)).map(({ id, seconds }) => [id, seconds]));

/** The rewriter at work while the check isn't met. */
async function whileRewriting(
  check: () => Promise<unknown>,
  rewrite = (tx: TenantTransaction, merge: Merge) => tx.run(rewriteNotes, merge),
) {
  const rewriter = createMergeRewriter({ database, logger }, { rewrite });
  await rewriter.start();
  try {
    await eventually(check);
  } finally {
    await rewriter.stop();
  }
}

describe('what customers have become', () => {
  it('is the same in whatever order, batches and duplicates the merges are heard of', async () => {
    // Each goes into one of a higher id, so there is an end.
    const merges = fc
      .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 })
      .chain((ids) =>
        fc.tuple(...ids.map((id) => fc.tuple(fc.constant(id), fc.integer({ min: id + 1, max: 13 })))),
      );
    const story = merges.chain((all) =>
      fc.record({
        all: fc.constant(all),
        arrival: fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length }),
        size: fc.integer({ min: 1, max: 5 }),
      }),
    );
    const ids = Array.from({ length: 13 }, (_, n) => n + 1);
    await fc.assert(
      fc.asyncProperty(story, async ({ all, arrival, size }) => {
        tenant = uniqueTenantId();
        for (let from = 0; from < arrival.length; from += size)
          await save(...arrival.slice(from, from + size));
        const into = new Map(all);
        const endOf = (id: number): number => (into.has(id) ? endOf(into.get(id) as number) : id);
        expect(await current(ids)).toEqual(ids.map(endOf));
      }),
      { numRuns: 60 },
    );
  });

  it('is a matter of one business alone', async () => {
    await save([1, 2]);
    tenant = uniqueTenantId();
    expect(await current([1])).toEqual([1]);
  });
});

describe('the rewriter', () => {
  it('has all rows name the customer, a portion at a time, and no other business’s', async () => {
    const other = uniqueTenantId();
    const many = 2 * REWRITTEN_TOGETHER + 1;
    await note(1, many);
    await note(2);
    await note(1, 3, other);
    const portions: number[] = [];
    await save([1, 2]);
    await whileRewriting(
      async () => expect(await notes()).toEqual({ 2: many + 1 }),
      async (tx, merge) => {
        const count = await tx.run(rewriteNotes, merge);
        portions.push(count);
        return count;
      },
    );
    expect(portions.slice(0, 3)).toEqual([REWRITTEN_TOGETHER, REWRITTEN_TOGETHER, 1]);
    expect(await notes(other)).toEqual({ 1: 3 });
  });

  it.each([
    [
      'first to last',
      [
        [1, 2],
        [2, 3],
      ],
    ],
    [
      'last to first',
      [
        [2, 3],
        [1, 2],
      ],
    ],
  ] as const)(
    'follows a chain that is heard of from %s, with rows rewritten in between',
    async (_order, [one, other]) => {
      for (const id of [1, 2, 3]) await note(id);
      await save([...one]);
      await whileRewriting(async () =>
        expect(await notes()).toEqual({ [one[1]]: 2, [one[0] === 1 ? 3 : 1]: 1 }),
      );
      await save([...other]);
      await whileRewriting(async () => expect(await notes()).toEqual({ 3: 3 }));
    },
  );

  it('looks again at what was merged long ago, once that goes on to another customer', async () => {
    await save([1, 2]);
    await scope().run(passTime, { seconds: 600 });
    await whileRewriting(async () => expect(await due()).toEqual({ 1: null }));
    await note(1);
    await save([2, 3]);
    await whileRewriting(async () => expect(await notes()).toEqual({ 3: 1 }));
  });

  it('finds what was written of the old id shortly after; two minutes after the merge it looks for the last time', async () => {
    await save([1, 2]);
    await whileRewriting(async () => {
      const seconds = (await due())[1];
      expect(seconds).toBeGreaterThan(0);
      // A lease is longer.
      expect(seconds).toBeLessThanOrEqual(20);
    });
    await note(1);
    await scope().run(passTime, { seconds: 30 });
    await whileRewriting(async () => expect(await notes()).toEqual({ 2: 1 }));
    await note(1);
    await scope().run(passTime, { seconds: 100 });
    await whileRewriting(async () => expect(await due()).toEqual({ 1: null }));
    expect(await notes()).toEqual({ 2: 2 });
  });

  it('goes on with the others where one fails, and tries that one again after the lease, not sooner', async () => {
    for (const id of [1, 2]) await note(id);
    await save([1, 9], [2, 9]);
    let failures = 0;
    const failing = async (tx: TenantTransaction, merge: Merge) => {
      if (merge.id !== 1) return tx.run(rewriteNotes, merge);
      failures += 1;
      throw new Error('This one fails.');
    };
    await whileRewriting(async () => expect([await notes(), failures]).toEqual([{ 1: 1, 9: 1 }, 1]), failing);
    // What is merged meanwhile is worked on.
    await note(3);
    await save([3, 9]);
    await whileRewriting(async () => expect(await notes()).toEqual({ 1: 1, 9: 2 }), failing);
    expect(failures).toBe(1);
    await scope().run(passTime, { seconds: 61 });
    await whileRewriting(async () => expect(await notes()).toEqual({ 9: 3 }));
  });

  it('is of no harm where several run at once', async () => {
    const many = 3 * REWRITTEN_TOGETHER;
    await note(1, many);
    await note(2, many);
    await save([1, 9], [2, 9]);
    const others = [1, 2].map(() =>
      createMergeRewriter({ database, logger }, { rewrite: (tx, merge) => tx.run(rewriteNotes, merge) }),
    );
    await Promise.all(others.map((rewriter) => rewriter.start()));
    await whileRewriting(async () => expect(await notes()).toEqual({ 9: 2 * many }));
    await Promise.all(others.map((rewriter) => rewriter.stop()));
  });
});
