import { DEFAULT_BOOKING_SETTINGS as settings } from '../booking-settings/booking-settings.rules.ts';
import { BUSINESS, type Calendar, longestStretchMinutes, NO_HOURS } from '../working-hours/calendar.rules.ts';
import { bookabilityOf, type Setup } from './bookability.rules.ts';

const open = (startMinute: number, endMinute: number): Calendar => ({
  ...NO_HOURS,
  weekly: new Map([[1, [{ startMinute, endMinute }]]]),
});
const MORNING = open(540, 720);

const haircut = { id: 1, name: 'Haircut', is_active: true, duration_minutes: 60 };
const anna = {
  id: 7,
  name: 'Anna',
  is_active: true,
  follows_business_hours: false,
  service_ids: [haircut.id],
};
const ben = { ...anna, id: 8, name: 'Ben' };

type GivenSetup = Partial<Setup> & { calendars?: ReadonlyMap<number, Calendar> };

const decide = ({ calendars = new Map([[anna.id, MORNING]]), ...setup }: GivenSetup) =>
  bookabilityOf({
    settings,
    services: [haircut],
    staff: [anna],
    longestMinutes: new Map([...calendars].map(([id, calendar]) => [id, longestStretchMinutes(calendar)])),
    ...setup,
  });

/** What stands in the way: of the business, of its first service, of its first staff member. */
function obstacles(setup: GivenSetup) {
  const { obstacle, services, staff } = decide(setup);
  return [obstacle, services[0]?.obstacle, staff[0]?.obstacle];
}

it('nothing stands in the way of a service that somebody performs within their hours', () => {
  expect(decide({ staff: [anna, { ...ben, is_active: false }] })).toEqual({
    obstacle: null,
    services: [{ id: 1, name: 'Haircut', obstacle: null, staff_ids: [7] }],
    staff: [
      { id: 7, name: 'Anna', obstacle: null },
      { id: 8, name: 'Ben', obstacle: 'inactive' },
    ],
  });
});

it('the business itself is booked where it has no staff', () => {
  expect(obstacles({ staff: [], calendars: new Map([[BUSINESS, MORNING]]) })).toEqual([
    null,
    null,
    undefined,
  ]);
  expect(obstacles({ staff: [], calendars: new Map() })).toEqual([
    ...['none_bookable', 'no_opening_hours', undefined],
  ]);
});

it('there are no services, or only inactive ones', () => {
  expect(obstacles({ services: [] })).toEqual(['no_services', undefined, 'no_services']);
  expect(obstacles({ services: [{ ...haircut, is_active: false }] })).toEqual([
    ...['all_inactive', 'inactive', 'no_services'],
  ]);
});

it('nobody performs the service, or only who is inactive', () => {
  expect(obstacles({ staff: [{ ...anna, service_ids: [] }] })).toEqual([
    ...['none_bookable', 'nobody_performs', 'no_services'],
  ]);
  expect(obstacles({ staff: [{ ...anna, is_active: false }] })).toEqual([
    ...['none_bookable', 'performers_inactive', 'inactive'],
  ]);
});

it('the staff who perform it have no hours, or follow a business that has none', () => {
  const calendars = new Map<number, Calendar>();
  expect(obstacles({ calendars })).toEqual(['none_bookable', 'no_hours', 'no_hours']);
  expect(obstacles({ calendars, staff: [{ ...anna, follows_business_hours: true }] })).toEqual([
    ...['none_bookable', 'no_opening_hours', 'no_opening_hours'],
  ]);
});

it('the service takes longer than anybody works without a break', () => {
  const services = [{ ...haircut, duration_minutes: 181 }];
  expect(obstacles({ services })).toEqual(['none_bookable', 'too_long', 'hours_too_short']);
  expect(obstacles({ services: [{ ...haircut, duration_minutes: 180 }] })).toEqual([null, null, null]);
});

it('a single date with hours is enough', () => {
  const once: Calendar = {
    ...NO_HOURS,
    exceptions: new Map([['2031-06-02', [{ startMinute: 540, endMinute: 600 }]]]),
  };
  expect(obstacles({ calendars: new Map([[anna.id, once]]) })).toEqual([null, null, null]);
});

it('one who can be booked is enough for the service', () => {
  expect(obstacles({ staff: [ben, anna] })).toEqual([null, null, 'no_hours']);
});

it('one service of several can’t be booked: the business can', () => {
  const perm = { ...haircut, id: 2, name: 'Perm' };
  expect(obstacles({ services: [perm, haircut] })).toEqual([null, 'nobody_performs', null]);
});

it('the shortest notice reaches beyond the days that can be booked ahead', () => {
  const never = { ...settings, minimum_notice_minutes: 2_880, horizon_days: 2 };
  expect(obstacles({ settings: never })).toEqual([
    ...['none_bookable', 'notice_beyond_horizon', 'notice_beyond_horizon'],
  ]);
  expect(obstacles({ settings: { ...never, horizon_days: 3 } })).toEqual([null, null, null]);
});
