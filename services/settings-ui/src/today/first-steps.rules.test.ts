import { WEEKDAYS } from '@frontdesk/contracts';
import { firstStepsOf, type SetUp } from './first-steps.rules.ts';

const CLOSED = Object.fromEntries(WEEKDAYS.map((day) => [day, []])) as unknown as SetUp['openingHours'];
const OPEN = { ...CLOSED, monday: [{ start: '09:00', end: '17:00' }] };

const NEW: SetUp = {
  bookability: { obstacle: 'no_services', services: [], staff: [] },
  openingHours: CLOSED,
  hasAppointments: false,
  policyChosen: false,
  callSources: 0,
  programs: 0,
  admins: 1,
};
const service = (obstacle: null | 'inactive' | 'no_hours') => ({
  obstacle: null,
  services: [{ id: 1, name: 'Haircut', obstacle, staff_ids: [] }],
  staff: [],
});
const doneOf = (setUp: Partial<SetUp>) =>
  firstStepsOf({ ...NEW, ...setUp })
    ?.filter(({ done }) => done)
    .map(({ step }) => step);

it('a new business has them all before it', () => {
  expect(firstStepsOf(NEW)?.map(({ done, optional }) => [done, optional])).toEqual([
    ...[
      [false, false],
      [false, false],
      [false, true],
      [false, true],
      [false, false],
    ],
    ...[
      [false, true],
      [false, true],
      [false, true],
    ],
  ]);
});

it.each<[string, Partial<SetUp>, string[]]>([
  ['opening hours', { openingHours: OPEN }, ['opening_hours']],
  ['a service without anybody’s hours', { bookability: service('no_hours') }, ['service']],
  [
    'a service of staff with hours of their own',
    { bookability: service(null) },
    ['opening_hours', 'service'],
  ],
  ['a service out of use', { bookability: service('inactive') }, []],
  ['a booking policy', { policyChosen: true }, ['booking_policy']],
  ['what is optional', { callSources: 1, programs: 2, admins: 2 }, ['call_source', 'colleague', 'program']],
])('%s', (_name, setUp, done) => {
  expect(doneOf(setUp)).toEqual(done);
});

it('leaves out what nobody can say right now, or the member may not see', () => {
  const unknown = { callSources: null, programs: null, policyChosen: null, admins: null };
  const steps = firstStepsOf({ ...NEW, ...unknown }) ?? [];
  expect(steps.map(({ step }) => step)).toEqual(['opening_hours', 'service', 'staff', 'appointment']);
});

it('is over with the essential ones, whatever else is open', () => {
  const setUp = { openingHours: OPEN, bookability: service(null) };
  expect(firstStepsOf({ ...NEW, ...setUp })).not.toBeNull();
  expect(firstStepsOf({ ...NEW, ...setUp, hasAppointments: true })).toBeNull();
});
