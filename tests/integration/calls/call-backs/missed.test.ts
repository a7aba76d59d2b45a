import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { calls, source, startForEachTest, tenant } from '../each-test.ts';
import { genericCall, newCallId, retellAnalysed, retellEnded } from '../sample-calls.ts';
import { genericMessage, retellMessage } from '../signed-messages.ts';

/** Ends the wait of every call, as time would. */
const endWaits = systemSql<never>(
  'test_end_waits_of_missed',
  'update calls set announce_at = now() where announce_at is not null',
);

describe('call.missed', () => {
  startForEachTest('retell');

  const send = async (message: object) => {
    expect((await calls.ingest(source, retellMessage(message, source))).status).toBe(202);
    await calls.settled(tenant);
  };
  const sendGeneric = async (fields: object) => {
    const generic = await calls.newSource(tenant, 'generic');
    await calls.ingest(generic, genericMessage(genericCall({ ...fields }), generic));
    await calls.settled(tenant);
  };
  const announced = async () =>
    (await calls.events(tenant)).map(({ type, aggregate_version }) => `${type} ${aggregate_version}`);
  const announcedEventually = (types: string[]) =>
    eventually(async () => expect(await announced()).toEqual(types));
  const short = { end_timestamp: Date.parse('2026-03-02T10:00:14Z') };
  const noLength = { start_timestamp: undefined, end_timestamp: undefined };

  it('comes at once and once, beside call.ended, which has a later version of its own', async () => {
    const id = newCallId();
    await send(retellEnded(id, short));
    expect(await announced()).toEqual(['call.missed 1']);
    await send(retellAnalysed(id, short));
    await announcedEventually(['call.missed 1', 'call.ended 2']);
    await sendGeneric({ from_number: null, ended_at: '2026-03-02T10:00:14.9Z' });
    expect((await announced()).slice(2)).toEqual(['call.missed 1', 'call.ended 2']);
  });

  it('comes before the call.ended of a call that nobody analyses, under another version', async () => {
    await send(retellEnded(newCallId(), short));
    await calls.database.system.run(endWaits);
    await announcedEventually(['call.missed 1', 'call.ended 2']);
  });

  it.each([
    ['14.999', true],
    ['15', false],
  ])('of a call of %s seconds: %s', async (seconds, isMissed) => {
    await sendGeneric({ ended_at: `2026-03-02T10:00:${seconds}Z` });
    expect((await calls.list(tenant)).data[0].missed).toBe(isMissed);
    expect((await calls.eventTypes(tenant)).includes('call.missed')).toBe(isMissed);
  });

  it('never comes for a call whose length only the analysis states, if that is long', async () => {
    const id = newCallId();
    await send(retellEnded(id, noLength));
    expect((await calls.list(tenant)).meta.total).toBe(1);
    expect(await announced()).toEqual([]);
    await send(retellAnalysed(id));
    await announcedEventually(['call.ended 2']);
  });

  it('comes with call.ended where no message states the length', async () => {
    await send(retellEnded(newCallId(), noLength));
    await calls.database.system.run(endWaits);
    await announcedEventually(['call.missed 1', 'call.ended 2']);
  });

  it('comes at once where nobody was reached, without any length', async () => {
    await send(retellEnded(newCallId(), { ...noLength, disconnection_reason: 'dial_failed' }));
    expect(await announced()).toEqual(['call.missed 1']);
  });
});
