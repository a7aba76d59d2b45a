import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Appointment, Call, CallListEntry, Slot, WebhookPayload } from '@frontdesk/contracts';
import { eventually, startReceiver } from '../support/index.ts';
import type { Api, ApiAnswer } from './support/api.ts';
import {
  allAppointments,
  type Business,
  bookingOf,
  createBusiness,
  createCustomer,
  freeSlots,
} from './support/business.ts';
import { createCallSource, endedCall, type MadeSource, sendCall } from './support/calls.ts';
import { killAndAwaitReturn } from './support/kill.ts';
import { type LocalSystem, startLocalSystem } from './support/local-system.ts';
import { type Target, targetOf } from './support/target.ts';

/** Who is killed while each batch is being booked. */
const VICTIMS = ['scheduling', 'webhooks', 'gateway', 'crm'];
const SLOTS_PER_BATCH = 10;
/** Who is killed while each batch of messages about calls is being sent. */
const CALLS_VICTIMS = ['calls', 'crm', 'gateway', 'webhooks', 'calls'];
const CALLS_PER_BATCH = 10;
/** Refusals that say: try again. */
const PASSING = new Set([429, 500, 503, 504]);
const RETRY_SECONDS = 0.5;
/** Ends only what is never answered, or never comes. */
const PATIENCE_MS = 300_000;

describe('a system whose services are killed again and again', () => {
  let system: LocalSystem;
  let target: Target;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  beforeAll(async () => {
    system = await startLocalSystem();
    target = targetOf(system);
    receiver = await startReceiver();
  });
  beforeEach(() => {
    receiver.requests.length = 0;
  });

  afterAll(async () => {
    await receiver?.close();
    await system?.stop();
  });

  const tellReceiver = ({ tenant }: Business, events: string) => {
    const words = `webhook create --tenant ${tenant.id} --url ${receiver.url} --events ${events}`;
    return target.operator.json(words.split(' '));
  };

  it(
    'books no slot twice, and delivers every acknowledged booking at least once',
    async () => {
      const business = await createBusiness(target, 'Salon Turbulence');
      await tellReceiver(business, 'appointment.created');
      const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
      const slots = await placesToBook(business, VICTIMS.length * SLOTS_PER_BATCH);

      const acknowledged: Appointment[] = [];
      const lost: ApiAnswer<Appointment>[] = [];
      for (const [round, victim] of VICTIMS.entries()) {
        const batch = slots.slice(round * SLOTS_PER_BATCH, (round + 1) * SLOTS_PER_BATCH);
        // Two rivals for every slot, one of whom holds it first: one of them must lose.
        const bookings = batch.flatMap((slot) => {
          const body = bookingOf(slot, customer.id, business.serviceId);
          return [answerThatStands(business.api, '/appointments', body), holdAndBook(business.api, body)];
        });
        await Promise.race(bookings);
        await killAndAwaitReturn(system, victim);
        for (const answer of await Promise.all(bookings)) {
          if (answer.status === 201) acknowledged.push(answer.data());
          else lost.push(answer);
        }
      }

      expect(acknowledged).toHaveLength(slots.length);
      expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([409]));
      const stored = await eventually(() => allAppointments(business.api));
      expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(acknowledged.map(({ id }) => id)));
      expect(new Set(stored.map(placeOf)).size).toBe(stored.length);

      await eventually(
        async () => {
          const arrived = new Set(receiver.requests.map(({ rawBody }) => appointmentIn(rawBody)));
          expect(acknowledged.filter(({ id }) => !arrived.has(id))).toEqual([]);
        },
        { timeoutMs: PATIENCE_MS },
      );
      // At least once: repeats are allowed, recognised by the id that every attempt carries.
      const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(acknowledged.length);
    },
    4 * PATIENCE_MS,
  );

  it(
    'records each call once, links it to one customer for each number, and tells of it',
    async () => {
      const business = await createBusiness(target, 'Salon Ringing');
      const source = await createCallSource(target, business.tenant.id);
      await tellReceiver(business, 'call.ended');
      const numberOf = (nth: number) => `+49309018${String(nth % 5).padStart(2, '0')}`;
      const sent = CALLS_VICTIMS.flatMap(() => Array.from({ length: CALLS_PER_BATCH }, () => endedCall()));
      const calls = sent.map((call, nth) => ({ ...call, from_number: numberOf(nth) }));
      for (const [round, victim] of CALLS_VICTIMS.entries()) {
        const batch = calls.slice(round * CALLS_PER_BATCH, (round + 1) * CALLS_PER_BATCH);
        // Twice each, as providers do that heard no answer.
        const sending = [...batch, ...batch].map((call) => sendUntilTaken(target, source, call));
        await Promise.race(sending);
        await killAndAwaitReturn(system, victim);
        await Promise.all(sending);
      }
      const wanted = calls
        .map(({ provider_call_id }) => provider_call_id)
        .toSorted((a, b) => (a < b ? -1 : 1));

      const records = await eventually(async () => {
        const listed = (await business.api<CallListEntry[]>('GET', '/calls?per_page=100')).data();
        expect(listed).toHaveLength(calls.length);
        expect(listed.filter(({ customer_id }) => customer_id === null)).toEqual([]);
        return listed;
      });
      const customerOf = new Map(records.map(({ from_number, customer_id }) => [from_number, customer_id]));
      for (const { from_number, customer_id } of records)
        expect(customer_id).toBe(customerOf.get(from_number));
      expect(new Set(customerOf.values()).size).toBe(5);

      await eventually(() => {
        const told = new Map(
          receiver.requests.map(({ rawBody, headers }) => [headers['webhook-id'], rawBody]),
        );
        const ids = [...told.values()].map((body) => callIn(body).provider_call_id);
        // At least once, and under one id: call.ended is one event of each call.
        expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(wanted);
      });
    },
    4 * PATIENCE_MS,
  );
});

/** Different places in the calendar: a start and one of the people who are free then. */
async function placesToBook(business: Business, count: number): Promise<Slot[]> {
  const slots = (await Promise.all([3, 4].map((days) => freeSlots(business, days)))).flat();
  // Every other start, so that a half-hour service overlaps none of its neighbours.
  const apart = slots.filter(({ time }) => time.endsWith(':00') || time.endsWith(':30'));
  const places = apart.flatMap((slot) => slot.staff_ids.map((staff_id) => ({ ...slot, staff_id })));
  expect(places.length).toBeGreaterThanOrEqual(count);
  return places.slice(0, count);
}

/** Longer than every outage here. */
const HOLD_SECONDS = 600;

async function holdAndBook(
  api: Api,
  { customer_id, ...place }: ReturnType<typeof bookingOf>,
): Promise<ApiAnswer<Appointment>> {
  const held = await answerThatStands(api, '/holds', { ...place, seconds: HOLD_SECONDS });
  return held.status === 201
    ? answerThatStands(api, `/holds/${held.data().id}/appointment`, { customer_id })
    : held;
}

/** As a careful integrator posts it: again, with the same Idempotency-Key, until there is an answer that stands. */
async function answerThatStands(api: Api, path: string, body: object): Promise<ApiAnswer<Appointment>> {
  const idempotencyKey = randomUUID();
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await api<Appointment>('POST', path, { body, idempotencyKey }).catch(() => null);
    if (answer && !PASSING.has(answer.status) && codeOf(answer) !== 'request_in_progress') return answer;
    if (Date.now() > deadline) throw new Error(`no answer that stands: ${JSON.stringify(answer?.body)}`);
    const retryAfterSeconds = Number(answer?.headers.get('retry-after') ?? RETRY_SECONDS);
    await delay(retryAfterSeconds * 1_000);
  }
}

/** As a provider does it: the same message again until it is taken. */
async function sendUntilTaken(target: Target, source: MadeSource, call: object): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await sendCall(target, source, call).catch(() => null);
    if (answer?.status === 202) return;
    if (answer && answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer)}`);
    if (Date.now() > deadline) throw new Error(`not taken in time: ${JSON.stringify(answer)}`);
    await delay(RETRY_SECONDS * 1_000);
  }
}

const codeOf = ({ body }: ApiAnswer<unknown>) => (body.success ? undefined : body.code);
const placeOf = ({ staff_id, starts_at }: Appointment) => `${staff_id} ${starts_at}`;

function appointmentIn(rawBody: Buffer | string): number {
  const payload = JSON.parse(String(rawBody)) as WebhookPayload & { data: Appointment };
  return payload.data.id;
}

const callIn = (rawBody: string) => (JSON.parse(rawBody) as WebhookPayload & { data: Call }).data;
