import { eventually } from '../../../support/index.ts';
import { type CallsWorld, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

describe('the appointment that was booked in a call', () => {
  let calls: CallsWorld;
  let tenant: number;
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(() => {
    tenant = calls.newTenant();
  });
  afterAll(() => calls.stop());

  const pathOf = (id: number, of = tenant) => `/internal/tenants/${of}/calls/${id}/appointment`;
  const link = (id: number, appointment_id: unknown, of = tenant) =>
    calls.admin('PUT', pathOf(id, of), { appointment_id });
  const listedBy = async (appointmentId: number, of = tenant) => {
    const { body } = await calls.admin(
      'GET',
      `/internal/tenants/${of}/calls?appointment_id=${appointmentId}`,
    );
    return body.data.map(({ id }: { id: number }) => id);
  };
  const announced = async () =>
    (await calls.events(tenant)).map(({ type, data }) => [
      type,
      (data as { appointment_id: unknown }).appointment_id,
    ]);
  const ring = async (fields: Parameters<typeof genericCall>[0] = {}) => {
    const source = await calls.newSource(tenant);
    const call = genericCall(fields);
    await calls.ingest(source, genericMessage(call, source));
    await calls.settled(tenant);
    await eventually(async () => expect(await announced()).toHaveLength(1));
    const [{ id }] = (await calls.list(tenant)).data;
    return { id: id as number, source, call };
  };

  it('is the call’s, told of by one call.updated, and the call is found by it', async () => {
    const { id } = await ring();
    const { status, body } = await link(id, 31);
    expect([status, body.data.appointment_id, body.data.stated_appointment]).toEqual([200, 31, null]);
    expect(await listedBy(31)).toEqual([id]);
    expect(await listedBy(32)).toEqual([]);
    expect((await calls.callOf(tenant, id)).appointment_id).toBe(31);
    const told = [
      ['call.ended', null],
      ['call.updated', 31],
    ];
    await eventually(async () => expect(await announced()).toEqual(told));
    // Linked again, it is nothing new.
    const before = await calls.callOf(tenant, id);
    expect((await link(id, 31)).status).toBe(200);
    expect(await calls.callOf(tenant, id)).toEqual(before);
  });

  it('stays, whatever is booked in the call after it', async () => {
    const { id } = await ring();
    await link(id, 33);
    const { status, body } = await link(id, 34);
    expect([status, body.data.appointment_id]).toEqual([200, 33]);
    expect([await listedBy(33), await listedBy(34)]).toEqual([[id], []]);
  });

  it('stays, whatever appointment a later message states', async () => {
    calls.scheduling.add(tenant, 41);
    const { id, source, call } = await ring({ summary: 'a' });
    await link(id, 40);
    await calls.ingest(source, genericMessage({ ...call, appointment_id: 41, summary: 'b' }, source));
    await calls.settled(tenant);
    await eventually(async () => expect(await calls.callOf(tenant, id)).toMatchObject({ summary: 'b' }));
    expect((await calls.callOf(tenant, id)).appointment_id).toBe(40);
    const { data } = (await calls.admin('GET', `/internal/tenants/${tenant}/calls/${id}`)).body;
    expect(data).toMatchObject({ appointment_id: 40, stated_appointment: null });
    expect(await listedBy(41)).toEqual([]);
  });

  it('takes the place of the one that a message states', async () => {
    calls.scheduling.add(tenant, 51);
    const { id } = await ring({ appointment_id: 51 });
    await eventually(async () => expect(await listedBy(51)).toEqual([id]));
    await link(id, 52);
    expect([await listedBy(51), await listedBy(52)]).toEqual([[], [id]]);
  });

  it('422: what is no id', async () => {
    const { id } = await ring();
    for (const wrong of [null, 'x', 0, -1, 1.5, {}, [], true]) {
      const { status, body } = await link(id, wrong);
      expect([wrong, status, Object.keys(body.errors ?? {})]).toEqual([wrong, 422, ['appointment_id']]);
    }
  });

  it('404: another business’s call answers as none at all', async () => {
    const { id } = await ring();
    const other = calls.newTenant();
    for (const [call, of] of [
      [id, other],
      [999_999_999, tenant],
    ] as const)
      expect((await link(call, 61, of)).status).toBe(404);
    expect((await calls.callOf(tenant, id)).appointment_id).toBeNull();
    await link(id, 61);
    expect(await listedBy(61, other)).toEqual([]);
  });
});
