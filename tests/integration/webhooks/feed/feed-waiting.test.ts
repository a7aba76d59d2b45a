import { eventually, uniqueTenantId } from '../../../support/index.ts';
import { appointmentEvent, appointmentEvents, customerEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';
import { feedOf, idsOf } from './feed-of.ts';

/** The longest that a request may wait. */
const WAIT_SECONDS = 25;

let world: RunningWebhooks;
let tenant: number;
beforeAll(async () => {
  world = await startWebhooks();
});
afterAll(() => world.stop());
beforeEach(() => {
  tenant = uniqueTenantId();
});

const read = (query?: string, keyId?: number) => feedOf(world, tenant).read(query, keyId);

describe('waiting for an event', () => {
  /** Again, for another tenant, only where a busy machine has brought the event later than a request may wait. */
  async function whileOneWaits(test: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      tenant = uniqueTenantId();
      const startedAt = performance.now();
      try {
        return await test();
      } catch (error) {
        if (attempt === 5 || performance.now() - startedAt < WAIT_SECONDS * 1_000) throw error;
      }
    }
  }

  it('answers as soon as one comes', () =>
    whileOneWaits(async () => {
      const { next } = await read();
      const waiting = read(`?after=${next}&wait=${WAIT_SECONDS}`);
      const event = appointmentEvent(tenant);
      await world.publish(event);
      expect((await waiting).ids).toEqual(idsOf([event]));
    }));

  it('ends after the time asked for, with a cursor that goes on', async () => {
    const { next } = await read();
    const { ids, next: later } = await read(`?after=${next}&wait=1`);
    expect(ids).toEqual([]);
    const [event] = await feedOf(world, tenant).received(appointmentEvent(tenant));
    expect((await read(`?after=${later}`)).ids).toEqual(idsOf([event as never]));
  });

  it('goes on while only other types come', () =>
    whileOneWaits(async () => {
      const { next } = await read();
      const waiting = read(`?after=${next}&wait=${WAIT_SECONDS}&types=customer.created`);
      await world.publish(...appointmentEvents(tenant, 2));
      await eventually(async () => expect((await read(`?after=${next}`, tenant + 1)).ids).toHaveLength(2));
      const event = customerEvent(tenant);
      await world.publish(event);
      expect((await waiting).ids).toEqual(idsOf([event]));
    }));

  it('goes on beside a request of the same key for other types', () =>
    whileOneWaits(async () => {
      const { next } = await read();
      const [appointments, customers] = ['appointment.created', 'customer.created'].map((types) =>
        read(`?after=${next}&wait=${WAIT_SECONDS}&types=${types}`),
      );
      const events = [appointmentEvent(tenant), customerEvent(tenant)];
      await world.publish(...events);
      expect([(await appointments)?.ids, (await customers)?.ids]).toEqual(idsOf(events).map((id) => [id]));
    }));

  it('ends when another request waits with the same key', () =>
    whileOneWaits(async () => {
      const { next } = await read();
      const first = read(`?after=${next}&wait=${WAIT_SECONDS}`);
      const second = read(`?after=${next}&wait=${WAIT_SECONDS}`);
      const { ids, next: later } = await Promise.race([first, second]);
      expect(ids).toEqual([]);
      expect(later).toEqual(expect.any(String));
      const event = appointmentEvent(tenant);
      await world.publish(event);
      const answers = await Promise.all([first, second]);
      expect(answers.map(({ ids }) => ids)).toContainEqual(idsOf([event]));
    }));
});
