import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { startCalls } from '../calls-world.ts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { genericCall, newCallId, retellAnalysed, retellEnded } from '../sample-calls.ts';
import { genericMessage, retellMessage } from '../signed-messages.ts';

/** Ends the wait of every call, as time would. */
const endWaits = systemSql<never>(
  'test_end_waits',
  'update calls set announce_at = now() where announce_at is not null',
);

describe('what is announced of a call', () => {
  startForEachTest('retell');

  const send = async (message: object) => {
    expect((await calls.ingest(source, retellMessage(message, source))).status).toBe(202);
    await calls.settled(tenant);
  };
  const eventsSoFar = async () =>
    (await calls.events(tenant)).map(({ type, aggregate_version }) => `${type} ${aggregate_version}`);
  const eventuallyEvents = (types: string[]) =>
    eventually(async () => expect(await eventsSoFar()).toEqual(types));
  const missed = { end_timestamp: Date.parse('2026-03-02T10:00:14Z') };

  it('call.ended at once, with the record as the single view shows it, for a message that is all there is', async () => {
    const generic = await calls.newSource(tenant, 'generic');
    const transcript = [
      { role: 'agent', text: 'Hello.', start: 0, end: 1.5 },
      { role: 'customer', text: 'Hi, a haircut please.' },
    ];
    const call = genericCall({ transcript, sentiment: 'positive', outcome: 'booked' });
    await calls.ingest(generic, genericMessage(call, generic));
    await calls.settled(tenant);
    const [event, ...others] = await calls.events(tenant);
    const view = await calls.callOf(tenant, event?.aggregate_id ?? 0);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'call.ended', aggregate_version: 1, tenant_id: tenant, data: view });
    expect(view).toEqual({
      id: event?.aggregate_id,
      provider: 'generic',
      provider_call_id: call.provider_call_id,
      customer_id: null,
      direction: 'inbound',
      from_number: call.from_number,
      to_number: call.to_number,
      started_at: '2026-03-02T10:00:00.000Z',
      ended_at: '2026-03-02T10:02:00.000Z',
      duration: 120,
      missed: false,
      sentiment: 'positive',
      sentiment_source: 'provider',
      quality_score: null,
      outcome: 'booked',
      source: 'Phone of generic',
      summary: null,
      recording_url: null,
      transcript: [
        { role: 'agent', text: 'Hello.', start: 0, end: 1.5 },
        { role: 'customer', text: 'Hi, a haircut please.', start: null, end: null },
      ],
      transcript_truncated: false,
      appointment_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('call.ended once the analysis has landed, whichever of the two messages comes first', async () => {
    const [inOrder, reversed] = [newCallId(), newCallId()];
    await send(retellEnded(inOrder));
    expect(await eventsSoFar()).toEqual([]);
    await send(retellAnalysed(inOrder));
    expect(await eventsSoFar()).toEqual(['call.ended 2']);
    await send(retellAnalysed(reversed));
    expect(await eventsSoFar()).toEqual(['call.ended 2', 'call.ended 1']);
    await send(retellEnded(reversed));
    expect(await eventsSoFar()).toEqual(['call.ended 2', 'call.ended 1']);

    const [first, second] = (await calls.events(tenant)).map(({ data }) => data);
    const own = { id: 0, provider_call_id: '', created_at: '', updated_at: '' };
    expect({ ...second, ...own }).toEqual({ ...first, ...own });
    expect(first).toMatchObject({ sentiment: 'positive', summary: 'Asked about the hours.' });
  });

  it('call.ended without the analysis when that doesn’t come in time; then it is call.updated', async () => {
    const id = newCallId();
    await send(retellEnded(id));
    await calls.database.system.run(endWaits);
    await eventuallyEvents(['call.ended 1']);
    await send(retellAnalysed(id));
    await eventuallyEvents(['call.ended 1', 'call.updated 2']);
    const [ended, updated] = await calls.events(tenant);
    expect([ended?.data.sentiment, updated?.data.sentiment]).toEqual([null, 'positive']);
    expect(updated?.data.transcript).toEqual(ended?.data.transcript);
    await send(retellEnded(id, { added_by_a_later_release: true }));
    await send(retellEnded(newCallId()));
    await calls.database.system.run(endWaits);
    // One after the other, the longest waiting first: behind the second call's end nothing is left to tell of the first.
    await eventuallyEvents(['call.ended 1', 'call.updated 2', 'call.ended 1']);
  });

  it('each once where analysis and timer race', async () => {
    const ids = Array.from({ length: 12 }, () => newCallId());
    await Promise.all(ids.map((id) => calls.ingest(source, retellMessage(retellEnded(id, missed), source))));
    await calls.settled(tenant);
    const analysed = ids.map((id) => retellMessage(retellAnalysed(id, missed), source));
    const other = await calls.startAnother(['announcer']);
    await Promise.all([
      calls.database.system.run(endWaits),
      ...analysed.map((message) => calls.ingest(source, message)),
    ]);
    await calls.settled(tenant);
    await eventually(async () => {
      const ended = (await calls.eventTypes(tenant)).filter((type) => type === 'call.ended');
      expect(ended).toHaveLength(ids.length);
    });
    await eventually(async () => {
      const newest = new Map(
        (await calls.events(tenant)).map(({ aggregate_id, data }) => [aggregate_id, data]),
      );
      expect([...newest.values()].map(({ sentiment }) => sentiment)).toEqual(
        Array(ids.length).fill('positive'),
      );
    });
    await other.stop();
    const byCall = Map.groupBy(await calls.events(tenant), ({ aggregate_id }) => aggregate_id);
    for (const events of byCall.values()) {
      const types = events.map(({ type }) => type);
      expect(types.slice(0, 2)).toEqual(['call.missed', 'call.ended']);
      expect(types.slice(2).filter((type) => type !== 'call.updated')).toEqual([]);
      const versions = events.map(({ aggregate_version }) => aggregate_version);
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    }
  });

  it('counts and lists a call only once it is complete', async () => {
    const generic = await calls.newSource(tenant, 'generic');
    await calls.ingest(generic, genericMessage(genericCall(), generic));
    await calls.settled(tenant);
    const id = newCallId();
    await send(retellAnalysed(id, { start_timestamp: undefined, end_timestamp: undefined }));
    expect((await calls.list(tenant)).meta.total).toBe(1);
    expect(await calls.eventTypes(tenant)).toEqual(['call.ended']);
    await send(retellEnded(id));
    await send(retellAnalysed(id, { call_cost: 3 }));
    const list = await calls.list(tenant);
    expect([list.meta.total, list.data.length]).toEqual([2, 2]);
    expect(await calls.eventTypes(tenant)).toEqual(['call.ended', 'call.ended']);
  });
});

describe('the wait for an analysis', () => {
  it('survives the process: another one announces the call when its time comes', async () => {
    const calls = await startCalls({ workers: ['message reader'], env: { ANNOUNCE_AFTER_MS: '50' } });
    const tenant = calls.newTenant();
    const source = await calls.newSource(tenant, 'retell');
    await calls.ingest(source, retellMessage(retellEnded(newCallId()), source));
    await calls.settled(tenant);
    expect(await calls.eventTypes(tenant)).toEqual([]);
    const restarted = await calls.startAnother(['announcer']);
    await eventually(async () => expect(await calls.eventTypes(tenant)).toEqual(['call.ended']));
    await restarted.stop();
    await calls.stop();
  });
});
