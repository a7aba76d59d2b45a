import { OPERATIONS } from '@frontdesk/contracts';
import { type ExampleRecords, exampleCommand } from './example-command.ts';

const today = Temporal.PlainDate.from('2026-11-23');
const booking = { service_id: 2, staff_id: 3, date: '2026-11-24', time: '10:00', otherTime: '10:45' };
const OWN: ExampleRecords = { service: 2, staff: 3, customer: 11, appointment: 5, call: 8, booking, today };
const NONE: ExampleRecords = {
  service: null,
  staff: null,
  customer: null,
  appointment: null,
  call: null,
  booking: null,
  today,
};

const exampleOf = (id: string, own: ExampleRecords) => {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (!operation) throw new Error(`No operation ${id}.`);
  return exampleCommand(operation, 'https://desk.example.com', own);
};
const ids = OPERATIONS.map(({ id }) => id);

it.each(ids)('%s: nothing is missing where the business has one of each, and nothing is left open', (id) => {
  const { text, missing } = exampleOf(id, OWN);
  expect(missing).toBeNull();
  expect(text).not.toMatch(/<|undefined|null|\{id\}/);
});

it.each(ids)('%s: where the business has nothing, what it names is missing', (id) => {
  const { text, missing } = exampleOf(id, NONE);
  const needsNothing = /^(list-(?!slots)|get-business|create-customer|update-customer)|webhook/.test(id);
  expect([id, missing === null]).toEqual([id, needsNothing]);
  expect(text).not.toMatch(/undefined|null|\{id\}/);
  if (needsNothing) expect(text).not.toContain('<');
});

it('changes nothing but what examples have made: whose id is not known yet, nothing is sent', () => {
  const changes = OPERATIONS.filter(({ method, path }) => method !== 'GET' && path.includes('{id}'));
  expect(changes.length).toBeGreaterThan(3);
  const variables = {
    customers: 'CUSTOMER_ID',
    appointments: 'APPOINTMENT_ID',
    holds: 'HOLD_ID',
    webhooks: 'WEBHOOK_ID',
    'webhook-deliveries': 'DELIVERY_ID',
  };
  for (const { id, path } of changes) {
    const [, noun = ''] = /([a-z-]+)\/\{id\}/.exec(path) ?? [];
    const variable = variables[noun as keyof typeof variables];
    expect([id, exampleOf(id, OWN).text]).toEqual([id, expect.stringContaining(`/${noun}/\${${variable}:?`)]);
  }
  for (const [id, variable] of [
    ['create-webhook', 'WEBHOOK_ID'],
    ['test-webhook', 'DELIVERY_ID'],
  ] as const)
    expect([id, exampleOf(id, OWN).text]).toEqual([
      id,
      expect.stringContaining(`${variable}=$(curl -sS -X POST`),
    ]);
  expect(exampleOf('create-appointment', OWN).text).toContain(`"customer_id": '\${CUSTOMER_ID:?`);
});

it('without staff a service is booked with nobody', () => {
  const alone = { ...OWN, staff: null, booking: { ...booking, staff_id: null } };
  expect(exampleOf('create-appointment', alone)).toMatchObject({
    missing: null,
    text: expect.not.stringContaining('staff_id'),
  });
  expect(exampleOf('list-slots', alone).text).toContain("slots?date=2026-11-24&service_id=2'");
});

it('a number is another one each day, and the same all day', () => {
  const numberOn = (day: string) =>
    /\+1 212 555 \d{4}/.exec(
      exampleOf('create-customer', { ...NONE, today: Temporal.PlainDate.from(day) }).text,
    )?.[0];
  expect(numberOn('2026-11-23')).toBe(numberOn('2026-11-23'));
  expect(numberOn('2026-11-24')).not.toBe(numberOn('2026-11-23'));
});
