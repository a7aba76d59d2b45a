import { systemSql } from '@frontdesk/database';
import { REWRITTEN_TOGETHER } from '@frontdesk/merges';
import { eventually, lockWaits } from '../../../support/index.ts';
import { genericCall, newCallId } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';
import {
  asked,
  belongs,
  called,
  calls,
  client,
  customer,
  KEPT,
  KEPT_NUMBER,
  LOST,
  learned,
  makeRewritesDue,
  merged,
  merges,
  NUMBER,
  publish,
  shown,
  source,
  startForEachMerge,
  tenant,
} from './merging-world.ts';

const OTHER = '+493023125003';

const storedCalls = systemSql<{ customer_id: number; version: number; rows: number }, { tenantId: number }>(
  'test_stored_calls',
  'select customer_id, version, count(*) as rows from calls where tenant_id = $tenantId group by 1, 2',
);

startForEachMerge();

describe('calls of a customer who became part of another one', () => {
  it('name that one, under a new version, ETag and updated_at; their next call.updated is the first to say so', async () => {
    const other = calls.newTenant();
    const theirs = await calls.newSource(other);
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER), customer(LOST, NUMBER, 1, other));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    const provider_call_id = newCallId();
    const id = await called({ provider_call_id });
    const own = await called({ from_number: KEPT_NUMBER });
    const foreign = await called({}, theirs);
    await eventually(async () => expect((await shown(foreign, other)).customer_id).toBe(LOST));
    const [before, ownBefore, foreignBefore] = [
      await shown(id),
      await shown(own),
      await shown(foreign, other),
    ];
    await publish(merged(LOST, NUMBER));
    await belongs(id, KEPT);

    const after = await shown(id);
    expect(after).toEqual({ ...before, customer_id: KEPT, updated_at: after.updated_at, etag: after.etag });
    expect(after.etag).not.toBe(before.etag);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await shown(own)).toEqual(ownBefore);
    expect(await shown(foreign, other)).toEqual(foreignBefore);
    expect((await calls.list(tenant, { customer_id: String(KEPT) })).meta.total).toBe(2);
    expect((await calls.list(tenant, { customer_id: String(LOST) })).meta.total).toBe(0);
    expect(await calls.eventTypes(tenant)).toEqual(['call.ended', 'call.ended']);

    await called({ provider_call_id, quality_score: 80 });
    await eventually(async () =>
      expect((await calls.events(tenant)).at(-1)).toMatchObject({
        type: 'call.updated',
        aggregate_version: 3,
        data: { id, customer_id: KEPT },
      }),
    );
  });

  it('are all rewritten, each once, however many there are', async () => {
    await publish(customer(LOST, NUMBER));
    await learned({ [NUMBER]: LOST });
    const id = await called();
    const count = 2 * REWRITTEN_TOGETHER + 1;
    await client.query(
      `insert into calls (tenant_id, source_id, id_space, provider, provider_call_id, end_told_at, is_complete, is_settled, direction,
         from_number, to_number, customer_number, customer_id, started_at, ended_at, duration_seconds, is_missed, outcome, is_announced,
         version)
       select tenant_id, source_id, id_space, provider, 'copy ' || n, end_told_at, is_complete, is_settled, direction,
         from_number, to_number, customer_number, customer_id, started_at, ended_at, duration_seconds, is_missed, outcome, is_announced,
         version
       from calls cross join generate_series(1, $3::integer) n where tenant_id = $1 and id = $2`,
      [tenant, id, count - 1],
    );
    await publish(merged(LOST, NUMBER));
    await eventually(async () =>
      expect(await calls.database.system.many(storedCalls, { tenantId: tenant })).toEqual([
        { customer_id: KEPT, version: 2, rows: count },
      ]),
    );
  });

  it('name that one once a message is done that was being applied meanwhile', async () => {
    await publish(customer(LOST, NUMBER));
    await learned({ [NUMBER]: LOST });
    const provider_call_id = newCallId();
    const id = await called({ provider_call_id });
    // The message has its call locked, and has looked for its customer.
    await client.query('begin');
    await client.query('lock table call_transcripts in access exclusive mode');
    const transcript = [{ role: 'agent', text: 'Hello' }];
    const more = genericMessage(genericCall({ provider_call_id, transcript }), source);
    await calls.ingest(source, more);
    await eventually(async () => expect((await lockWaits(calls.database)).tables).toBe(1));
    await publish(merged(LOST, NUMBER));
    await eventually(async () => expect((await lockWaits(calls.database)).rows).toBe(1));
    await client.query('rollback');
    await belongs(id, KEPT);
    expect((await shown(id)).transcript).toMatchObject(transcript);
    await eventually(async () =>
      expect((await calls.events(tenant)).at(-1)).toMatchObject({
        type: 'call.updated',
        aggregate_version: 3,
        data: { id, customer_id: KEPT },
      }),
    );
  });

  it('are found although they were linked by crm’s word from before the merge', async () => {
    const lost = calls.crm.addCustomer(tenant, OTHER);
    calls.crm.set('hanging');
    expect(
      (await calls.ingest(source, genericMessage(genericCall({ from_number: OTHER }), source))).status,
    ).toBe(202);
    await eventually(async () => expect(asked()).toHaveLength(1));
    await publish(merged(lost, NUMBER));
    await learned({ [NUMBER]: lost });
    calls.crm.set('up');
    await calls.settled(tenant);
    expect((await calls.list(tenant)).data).toMatchObject([{ customer_id: KEPT }]);
    expect((await calls.events(tenant)).map(({ data }) => data.customer_id)).toEqual([KEPT]);
  });

  /** A call that names the customer who is gone, as a transaction leaves it that had looked for them before the merge. */
  async function leftBehind(provider_call_id: string): Promise<number> {
    await publish(customer(LOST, NUMBER), merged(LOST, NUMBER));
    await eventually(async () => expect(await merges()).toMatchObject([{ is_looked_for: true }]));
    const id = await called({ provider_call_id });
    await client.query('update calls set customer_id = $2 where tenant_id = $1', [tenant, LOST]);
    return id;
  }

  it('are found by a later look, where they were linked while the merge came in', async () => {
    const id = await leftBehind(newCallId());
    await makeRewritesDue();
    await belongs(id, KEPT);
  });

  it('name that one from their next change on, though they have not been found yet', async () => {
    const provider_call_id = newCallId();
    const id = await leftBehind(provider_call_id);
    await called({ provider_call_id, quality_score: 80 });
    expect(await shown(id)).toMatchObject({ customer_id: KEPT, quality_score: 80 });
    expect(await calls.database.system.many(storedCalls, { tenantId: tenant })).toEqual([
      { customer_id: KEPT, version: 2, rows: 1 },
    ]);
  });
});
