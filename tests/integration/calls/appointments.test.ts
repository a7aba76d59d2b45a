import type { CallProviderName } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventually } from '../../support/index.ts';
import { type CallsWorld, startCalls } from './calls-world.ts';
import { genericCall, newCallId, vapiReport } from './sample-calls.ts';
import { genericMessage, type SignedMessage, vapiMessage } from './signed-messages.ts';

const state = systemSql<{ is_due: boolean; denials: number }, [tenantId: number]>(
  'test_appointment_state',
  `select appointment_id is distinct from checked_appointment_id as is_due, appointment_denials as denials
   from calls where tenant_id = $1`,
);
/** As a process of the last release writes it. */
const writeAsBefore = systemSql<never, [tenantId: number, appointmentId: number]>(
  'test_write_as_before',
  'update calls set appointment_id = $2 where tenant_id = $1',
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
  const states = () => calls.database.system.one(state, tenant);

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
    for (let denials = 1; denials < 8; denials += 1) {
      await eventually(async () => {
        await calls.makeChecksDue();
        expect((await states()).denials).toBeGreaterThan(denials);
      });
    }
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
    await eventually(async () => expect(await served()).toMatchObject({ appointment_id: 21 }));
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

  it('as a process of the last release stores it: not served before it is checked', async () => {
    await ingest(null);
    await eventually(async () => expect(await announced()).toEqual([['call.ended', null]]));
    calls.scheduling.set('hanging');
    await calls.database.system.run(writeAsBefore, tenant, 22);
    expect(await served()).toMatchObject({ appointment_id: null });
    calls.scheduling.add(tenant, 22);
    calls.scheduling.set('up');
    await calls.makeChecksDue();
    await eventually(async () => expect(await served()).toMatchObject({ appointment_id: 22 }));
  });
});
