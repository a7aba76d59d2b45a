import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Appointment, Slot, WebhookPayload } from '@frontdesk/contracts';
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
import { killAndAwaitReturn } from './support/kill.ts';
import { type LocalSystem, startLocalSystem } from './support/local-system.ts';
import { targetOf } from './support/target.ts';

/** Who is killed while each batch is being booked. */
const VICTIMS = ['scheduling', 'webhooks', 'gateway', 'crm', 'scheduling', 'gateway', 'webhooks', 'crm'];
const SLOTS_PER_BATCH = 6;
/** Refusals that say: try again. */
const PASSING = new Set([429, 500, 503, 504]);
const RETRY_SECONDS = 0.5;
/** Ends only what is never answered, or never comes. */
const PATIENCE_MS = 300_000;

describe('a system whose services are killed again and again', () => {
  let system: LocalSystem;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  beforeAll(async () => {
    system = await startLocalSystem();
    receiver = await startReceiver();
  });

  afterAll(async () => {
    await receiver?.close();
    await system?.stop();
  });

  it(
    'books no slot twice, and delivers every acknowledged booking at least once',
    async () => {
      const target = targetOf(system);
      const business = await createBusiness(target, 'Salon Turbulence');
      await target.operator.json(
        `webhook create --tenant ${business.tenant.id} --url ${receiver.url} --events appointment.created`.split(
          ' ',
        ),
      );
      const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
      const slots = await placesToBook(business, VICTIMS.length * SLOTS_PER_BATCH);

      const acknowledged: Appointment[] = [];
      const lost: ApiAnswer<Appointment>[] = [];
      for (const [round, victim] of VICTIMS.entries()) {
        const batch = slots.slice(round * SLOTS_PER_BATCH, (round + 1) * SLOTS_PER_BATCH);
        // Two rivals for every slot: one of them must lose.
        const bookings = [...batch, ...batch].map((slot) =>
          bookUntilAnswered(business.api, bookingOf(slot, customer.id, business.serviceId)),
        );
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

/** As a careful integrator does it: again, with the same Idempotency-Key, until there is an answer that stands. */
async function bookUntilAnswered(api: Api, body: object): Promise<ApiAnswer<Appointment>> {
  const idempotencyKey = randomUUID();
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await api<Appointment>('POST', '/appointments', { body, idempotencyKey }).catch(
      () => null,
    );
    if (answer && !PASSING.has(answer.status) && codeOf(answer) !== 'request_in_progress') return answer;
    if (Date.now() > deadline) throw new Error(`no answer that stands: ${JSON.stringify(answer?.body)}`);
    const retryAfterSeconds = Number(answer?.headers.get('retry-after') ?? RETRY_SECONDS);
    await delay(retryAfterSeconds * 1_000);
  }
}

const codeOf = ({ body }: ApiAnswer<unknown>) => (body.success ? undefined : body.code);
const placeOf = ({ staff_id, starts_at }: Appointment) => `${staff_id} ${starts_at}`;

function appointmentIn(rawBody: Buffer | string): number {
  const payload = JSON.parse(String(rawBody)) as WebhookPayload & { data: Appointment };
  return payload.data.id;
}
