import { asOperator } from '../as-operator.ts';
import { sentStatements } from '../count-queries.ts';
import { everyDay, MONDAY, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

type Salon = Awaited<ReturnType<typeof salonWithBookings>>;

/** Anna has an appointment on Monday, and one two weeks later. */
async function salonWithBookings() {
  const salon = await openSalon(world);
  const send = asOperator(world, salon.tenantId);
  const booked = async (fields: object) =>
    (await salon.book({ staff_id: salon.anna, ...fields })).body.data.id as number;
  return {
    ...salon,
    send,
    id: await booked({}),
    later: await booked({ appointment_date: '2031-06-16' }),
    see: (path: string, etag = '') => send('GET', path, undefined, etag ? { 'if-none-match': etag } : {}),
  };
}

const PICTURE = { type: 'image/png', base64: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64') };
const HOURS = [{ start: '10:00', end: '12:00' }];
const AWAY = { start: `${MONDAY}T10:00`, end: `${MONDAY}T12:00`, note: 'Dentist' };
const exception = (owner: string) => `${owner}/calendar/exceptions/${MONDAY}`;

/** Every kind of change that a day shows. */
const CHANGES: [string, (salon: Salon) => Promise<unknown>][] = [
  ['a booking', ({ book, ben }) => book({ staff_id: ben })],
  ['a move', ({ change, id }) => change(id, { appointment_time: '14:00' })],
  ['a move away', ({ change, id }) => change(id, { appointment_date: '2031-06-23' })],
  [
    'a move to it',
    ({ change, later }) => change(later, { appointment_date: MONDAY, appointment_time: '12:00' }),
  ],
  [
    'a move away and one to it',
    async ({ change, id, later }) => {
      await change(id, { appointment_date: '2031-06-23' });
      await change(later, { appointment_date: MONDAY });
    },
  ],
  ['a status', ({ setStatus, id }) => setStatus(id, 'no_show')],
  ['a no-show of the same customer on another day', ({ setStatus, later }) => setStatus(later, 'no_show')],
  ['a cancellation', ({ cancel, id }) => cancel(id)],
  ['a note', ({ change, id }) => change(id, { notes: 'Fringe' })],
  ['a service’s name', ({ send, haircut }) => send('PATCH', `/services/${haircut}`, { name: 'Cut' })],
  ['a staff member’s name', ({ send, anna }) => send('PATCH', `/staff/${anna}`, { name: 'Anne' })],
  ['their colour', ({ send, anna }) => send('PATCH', `/staff/${anna}`, { color: 'teal' })],
  ['their picture', ({ send, anna }) => send('PUT', `/staff/${anna}/picture`, PICTURE)],
  ['a new staff member', ({ send }) => send('POST', '/staff', { name: 'Cem' })],
  ['a staff member who leaves', ({ send, ben }) => send('DELETE', `/staff/${ben}`)],
  ['inactive staff', ({ send, anna }) => send('PATCH', `/staff/${anna}`, { is_active: false })],
  [
    'their hours',
    ({ send, anna }) => send('PUT', `/staff/${anna}/calendar/hours`, { hours: { monday: HOURS } }),
  ],
  [
    'whose hours they have',
    ({ send, anna }) => send('PATCH', `/staff/${anna}`, { follows_business_hours: true }),
  ],
  [
    'their other hours',
    ({ send, anna }) => send('PUT', exception(`/staff/${anna}`), { hours: HOURS, note: null }),
  ],
  ['the business’s', ({ send }) => send('PUT', exception(''), { hours: HOURS, note: 'Fair' })],
  ['their time off', ({ send, anna }) => send('POST', `/staff/${anna}/calendar/time-off`, AWAY)],
  ['the business’s time off', ({ send }) => send('POST', '/calendar/time-off', AWAY)],
  ['the step of slots', ({ send }) => send('PATCH', '/booking-settings', { slot_step_minutes: 30 })],
  [
    'an import',
    ({ tenantId }) =>
      world.importBusiness(tenantId, {
        staff: [{ name: 'Ben', services: ['Haircut'], hours: everyDay(HOURS) }],
      }),
  ],
];

describe('If-None-Match on days and weeks', () => {
  it.each(CHANGES)('%s makes another ETag', async (_kind, change) => {
    const salon = await salonWithBookings();
    const paths = [`/days/${MONDAY}`, `/weeks/${MONDAY}`];
    const seeAll = (etags: string[] = []) =>
      Promise.all(paths.map((path, index) => salon.see(path, etags[index])));
    const before = await seeAll();
    const etags = before.map(({ headers }) => String(headers.etag));
    expect((await seeAll(etags)).map(({ status }) => status)).toEqual([304, 304]);
    await change(salon);
    const after = await seeAll(etags);
    expect(after.map(({ status }) => status)).toEqual([200, 200]);
    for (const [index, { body }] of after.entries()) expect(body).not.toEqual(before[index]?.body);
  });

  it('304 costs one small query, and stands for one date of one business', async () => {
    const salon = await salonWithBookings();
    const path = `/days/${MONDAY}`;
    const etag = String((await salon.see(path)).headers.etag);
    const sent = await sentStatements(async () => {
      const unchanged = await salon.see(path, etag);
      expect([unchanged.status, unchanged.body]).toEqual([304, null]);
    });
    expect(sent).toEqual(['days_version']);
    expect((await salon.see('/days/2031-06-03', etag)).status).toBe(200);
    const other = await salonWithBookings();
    expect((await other.see(path, etag)).status).toBe(200);
  });

  it('today is another day at midnight', async () => {
    const { see } = await salonWithBookings();
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2031-06-01T20:00:00Z'));
    const etag = String((await see('/days/today')).headers.etag);
    expect((await see('/days/today', etag)).status).toBe(304);
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2031-06-01T22:30:00Z'));
    expect((await see('/days/today', etag)).status).toBe(200);
  });
});
