import { atOnce, statusCounts } from './answers.ts';
import { type Answer, type BookedSalon, salonWithAppointment } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

describe('If-Match', () => {
  type Send = (salon: BookedSalon, etag: string) => Promise<Answer>;
  const sends: [string, Send][] = [
    ['PATCH', (salon, etag) => salon.change(salon.id, { notes: 'new' }, { 'if-match': etag })],
    [
      'PATCH /status',
      ({ tenantId, id }, etag) => {
        const path = `/appointments/${id}/status`;
        return world.api(tenantId, 'PATCH', path, { status: 'completed' }, { 'if-match': etag });
      },
    ],
    ['DELETE', (salon, etag) => salon.cancel(salon.id, { 'if-match': etag })],
  ];

  it.each(sends)('%s: 412 without any effect unless one of the tags is the record’s', async (_name, send) => {
    const salon = await salonWithAppointment(world);
    for (const etag of ['"2"', '"0"', '1', 'W/"1"', '""', '"2", "3"']) {
      const { status, headers, body } = await send(salon, etag);
      expect([etag, status, body.success, body.code]).toEqual([etag, 412, false, 'precondition_failed']);
      expect(headers.etag).toBe('"1"');
    }
    expect(await salon.shown()).toEqual(salon.appointment);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it.each(sends)('%s: goes through with the record’s tag, among others, or with any', async (_name, send) => {
    for (const etag of ['"1"', '"7", "1"', '*', ' "1" ']) {
      const salon = await salonWithAppointment(world);
      const { status, headers } = await send(salon, etag);
      expect([etag, status, headers.etag]).toEqual([etag, 200, '"2"']);
    }
  });

  it.each(sends)('%s: a record that is not there is 404 all the same', async (_name, send) => {
    const salon = await salonWithAppointment(world);
    expect((await send({ ...salon, id: 999_999_999 }, '"1"')).status).toBe(404);
  });

  it('412 also where nothing would change', async () => {
    const salon = await salonWithAppointment(world);
    expect((await salon.change(salon.id, {}, { 'if-match': '"2"' })).status).toBe(412);
  });

  it('of ten changes that all have seen the same version, one is made', async () => {
    const salon = await salonWithAppointment(world);
    const answers = await atOnce(10, (index) =>
      salon.change(salon.id, { notes: `${index}` }, { 'if-match': '"1"' }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 412: 9 });
    expect((await salon.shown()).notes).toBe(answers.find(({ status }) => status === 200)?.body.data.notes);
  });
});
