import type { CallProviderName } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import { type CallsWorld, startCalls } from '../calls-world.ts';
import { genericCall, newCallId, vapiReport } from '../sample-calls.ts';
import { genericMessage, type SignedMessage, vapiMessage } from '../signed-messages.ts';

const state = systemSql<{ is_due: boolean; denials: number }, { tenantId: number }>(
  'test_appointment_state',
  `select appointment_id is distinct from checked_appointment_id as is_due, appointment_denials as denials
   from calls where tenant_id = $tenantId`,
);
const version = systemSql<{ version: number; is_silent: boolean }, { tenantId: number }>(
  'test_call_version',
  'select version, announce_at is null as is_silent from calls where tenant_id = $tenantId',
);
/** As a process of the last release writes it. */
const writeAsBefore = systemSql<never, { tenantId: number; appointmentId: number }>(
  'test_write_as_before',
  'update calls set appointment_id = $appointmentId where tenant_id = $tenantId',
);

const SOURCES = ['generic', 'vapi'] as const;
type Stating = (appointmentId: unknown, source: Parameters<typeof genericMessage>[1]) => SignedMessage;
const STATING: Record<(typeof SOURCES)[number], Stating> = {
  generic: (id, source) => genericMessage(genericCall({ appointment_id: id }), source),
  vapi: (id, source) =>
    vapiMessage(vapiReport(newCallId(), { analysis: { structuredData: { appointment_id: id } } }), source),
};

describe('the appointment that a message states', () => {
  let calls: CallsWorld;
  let tenant: number;
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(() => {
    tenant = calls.newTenant();
  });
  afterEach(() => calls.scheduling.set('up'));
  afterAll(() => calls.stop());

  const ingest = async (id: unknown, provider: (typeof SOURCES)[number] = 'generic') => {
    const source = await calls.newSource(tenant, provider as CallProviderName);
    await calls.ingest(source, STATING[provider](id, source));
    return source;
  };
  const served = async () => {
    const [entry] = (await calls.list(tenant)).data;
    return entry && (await calls.callOf(tenant, entry.id));
  };
  const announced = async () =>
    (await calls.events(tenant)).map(({ type, data }) => [
      type,
      (data as { appointment_id: unknown }).appointment_id,
    ]);
  const states = () => calls.database.system.one(state, { tenantId: tenant });
  const versions = () => calls.database.system.one(version, { tenantId: tenant });
  const denied = async (times: number) => {
    for (let denials = 1; denials < times; denials += 1) {
      await eventually(async () => {
        await calls.makeChecksDue();
        expect((await states()).denials).toBeGreaterThan(denials);
      });
    }
  };
  /** A call whose events told of the id before it was checked. */
  const announcedBefore = async (id: number) => {
    await ingest(null);
    await eventually(async () => expect(await announced()).toEqual([['call.ended', null]]));
    await calls.database.system.run(writeAsBefore, { tenantId: tenant, appointmentId: id });
    return { call: await served(), version: await versions() };
  };

  it.each(SOURCES)('of the tenant: it is served, and in call.ended already (%s)', async (provider) => {
    calls.scheduling.add(tenant, 17);
    await ingest(17, provider);
    await eventually(async () => expect(await announced()).toEqual([['call.ended', 17]]));
    expect(await served()).toMatchObject({ appointment_id: 17 });
    expect(await states()).toEqual({ is_due: false, denials: 0 });
  });

  it.each(SOURCES)('of another tenant, or of nothing: it is never served (%s)', async (provider) => {
    calls.scheduling.add(calls.newTenant(), 18);
    await ingest(18, provider);
    await eventually(async () => expect(await announced()).toEqual([['call.ended', null]]));
    expect(await served()).toMatchObject({ appointment_id: null });
    await denied(8);
    // Asked often enough, scheduling is left in peace.
    expect(await states()).toEqual({ is_due: false, denials: 8 });
    const asked = calls.scheduling.asked.filter(({ tenantId }) => tenantId === tenant);
    expect(asked).toEqual(Array(8).fill({ tenantId: tenant, ids: [18] }));
    expect(await announced()).toEqual([['call.ended', null]]);
    const [{ id }] = (await calls.list(tenant)).data;
    const { data } = (await calls.admin('GET', `/internal/tenants/${tenant}/calls/${id}`)).body;
    expect(data).toMatchObject({ appointment_id: null, stated_appointment: { id: 18, status: 'unknown' } });
  });

  it('that is booked a moment later is found then: one call.updated says so', async () => {
    await ingest(19);
    await eventually(async () => expect(await announced()).toEqual([['call.ended', null]]));
    const { version_before, updated_at } = { version_before: await served(), ...(await served()) };
    calls.scheduling.add(tenant, 19);
    await calls.makeChecksDue();
    await eventually(async () =>
      expect(await announced()).toEqual([
        ['call.ended', null],
        ['call.updated', 19],
      ]),
    );
    expect(version_before).toMatchObject({ appointment_id: null });
    const call = await served();
    expect(call?.appointment_id).toBe(19);
    expect(call?.updated_at && call.updated_at > String(updated_at)).toBe(true);
  });

  it('while scheduling is away: not served, and asked for until it is back', async () => {
    calls.scheduling.set('away');
    calls.scheduling.add(tenant, 20);
    await ingest(20);
    await calls.settled(tenant);
    await eventually(async () => expect(await served()).toMatchObject({ appointment_id: null }));
    calls.scheduling.set('up');
    await calls.makeChecksDue();
    await eventually(async () => expect(await served()).toMatchObject({ appointment_id: 20 }));
    // The end waited for the answer, so it tells of it.
    expect(await announced()).toEqual([['call.ended', 20]]);
  });

  it('another one of a later message is checked anew', async () => {
    calls.scheduling.add(tenant, 21);
    const source = await calls.newSource(tenant);
    const call = genericCall({ appointment_id: 21, summary: 'a' });
    await calls.ingest(source, genericMessage(call, source));
    await eventually(async () => expect(await announced()).toEqual([['call.ended', 21]]));
    expect(await served()).toMatchObject({ appointment_id: 21 });
    // Of two messages that contradict each other the one whose text sorts last is believed.
    await calls.ingest(source, genericMessage({ ...call, appointment_id: 99, summary: 'b' }, source));
    await eventually(async () =>
      expect(await announced()).toEqual([
        ['call.ended', 21],
        ['call.updated', null],
      ]),
    );
    expect(await served()).toMatchObject({ summary: 'b', appointment_id: null });
  });

  it('another one than was denied is asked for as often anew', async () => {
    const source = await calls.newSource(tenant);
    const call = genericCall({ appointment_id: 97, summary: 'a' });
    await calls.ingest(source, genericMessage(call, source));
    await eventually(async () => expect((await states()).denials).toBe(1));
    await denied(6);
    await calls.ingest(source, genericMessage({ ...call, appointment_id: 98, summary: 'b' }, source));
    await eventually(async () => expect(await served()).toMatchObject({ summary: 'b' }));
    expect((await states()).denials).toBeLessThan(6);
    await eventually(async () => expect((await states()).denials).toBeGreaterThan(0));
    expect(await states()).toMatchObject({ is_due: true });
  });

  it('that was told of before the upgrade: not served before it is checked, and a yes changes nothing', async () => {
    calls.scheduling.add(tenant, 22);
    calls.scheduling.set('hanging');
    const before = await announcedBefore(22);
    expect(before.call).toMatchObject({ appointment_id: null });
    calls.scheduling.set('up');
    await eventually(async () => {
      await calls.makeChecksDue();
      expect(await served()).toEqual({ ...before.call, appointment_id: 22 });
    });
    expect(await versions()).toEqual({ ...before.version, is_silent: true });
    expect(await announced()).toEqual([['call.ended', null]]);
  });

  it('that was told of before the upgrade: a final no is one call.updated', async () => {
    const before = await announcedBefore(23);
    await eventually(async () => {
      await calls.makeChecksDue();
      expect((await states()).denials).toBeGreaterThan(0);
    });
    await denied(7);
    expect(await versions()).toEqual({ ...before.version, is_silent: true });
    await denied(8);
    const told = [
      ['call.ended', null],
      ['call.updated', null],
    ];
    await eventually(async () => expect(await announced()).toEqual(told));
    expect(await versions()).toEqual({ version: before.version.version + 1, is_silent: true });
    const call = await served();
    expect(call?.updated_at && call.updated_at > String(before.call?.updated_at)).toBe(true);
  });

  it('that was told of before the upgrade: what is told meanwhile is without it, so a yes is a change', async () => {
    calls.scheduling.set('hanging');
    const source = await calls.newSource(tenant);
    const call = genericCall({ summary: 'a' });
    await calls.ingest(source, genericMessage(call, source));
    await eventually(async () => expect(await announced()).toEqual([['call.ended', null]]));
    await calls.database.system.run(writeAsBefore, { tenantId: tenant, appointmentId: 24 });
    const later = { ...call, appointment_id: 24, recording_url: 'https://a.example/24' };
    await calls.ingest(source, genericMessage(later, source));
    await eventually(async () => expect(await announced()).toHaveLength(2));
    calls.scheduling.add(tenant, 24);
    calls.scheduling.set('up');
    await eventually(async () => {
      await calls.makeChecksDue();
      expect((await announced()).slice(1)).toEqual([
        ['call.updated', null],
        ['call.updated', 24],
      ]);
    });
  });

  it('of a call that has just ended is asked for before all that were told of before the upgrade', async () => {
    calls.scheduling.set('hanging');
    const source = await calls.newSource(tenant);
    const before = 10;
    for (let n = 0; n < before; n += 1) await calls.ingest(source, genericMessage(genericCall(), source));
    await eventually(async () => expect(await announced()).toHaveLength(before));
    await calls.database.system.run(writeAsBefore, { tenantId: tenant, appointmentId: 25 });
    const asked = () =>
      calls.scheduling.asked.filter(({ tenantId }) => tenantId === tenant).flatMap(({ ids }) => ids);
    await eventually(() => expect(asked()).toContain(25));
    await calls.ingest(source, genericMessage(genericCall({ appointment_id: 26 }), source));
    await eventually(async () => expect(await calls.messages(tenant, '?status=received')).toEqual([]));
    // A question that hangs is given up and asked again later, so there may have been more than one.
    const untilStored = asked().length;
    expect(untilStored).toBeLessThan(before);
    calls.scheduling.set('up');
    await eventually(() => expect(asked()).toContain(26));
    // One that was taken up as it was stored may still come between.
    expect(asked().indexOf(26)).toBeLessThanOrEqual(untilStored + 1);
  });
});
