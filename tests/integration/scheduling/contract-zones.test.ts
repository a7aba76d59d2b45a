import { atOnce } from './answers.ts';
import { MONDAY, openPractice } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';
import { hhmm } from './wall-clock.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

describe('the appointment’s record', () => {
  it.each([
    ['America/New_York', 'USD', '-04:00'],
    ['Asia/Kolkata', 'INR', '+05:30'],
    ['Pacific/Chatham', 'NZD', '+12:45'],
    ['UTC', 'EUR', '+00:00'],
  ])('is in the business’s own zone and currency: %s', async (timezone, currency, offset) => {
    const practice = await openPractice(world, world.newTenant({ timezone, currency }));
    const { body } = await practice.book({ appointment_time: '09:15' });
    expect(body.data).toMatchObject({
      ...{ timezone, currency, appointment_date: MONDAY, appointment_time: '09:15', end_time: '10:15' },
      ...{ starts_at: `${MONDAY}T09:15:00${offset}`, ends_at: `${MONDAY}T10:15:00${offset}` },
    });
  });

  it('of two tenants in two zones, booked at once, each is in its own', async () => {
    const zones = ['Asia/Tokyo', 'America/Los_Angeles'];
    const practices = await Promise.all(
      zones.map((timezone) => openPractice(world, world.newTenant({ timezone }))),
    );
    const answers = await atOnce(20, async (index) => {
      const appointment_time = hhmm(540 + (Math.floor(index / 2) % 8) * 60);
      const appointment_date = index < 16 ? MONDAY : '2031-06-03';
      return practices[index % 2]?.book({ appointment_date, appointment_time });
    });
    expect(answers.map((answer) => [answer?.status, answer?.body.data.timezone])).toEqual(
      answers.map((_, index) => [201, zones[index % 2]]),
    );
    const offsets = answers.map((answer) => answer?.body.data.starts_at.slice(-6));
    expect(offsets).toEqual(answers.map((_, index) => ['+09:00', '-07:00'][index % 2]));
  });
});
