import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { appointmentEvent } from './sample-events.ts';
import { takeIn } from './take-in.ts';

const EVENTS = 150;
/** With one delivery in flight at most an endpoint is given up to so many leases. */
const PER_ENDPOINT = 1;
const LEASES = 100;

describe('pre-leasing', () => {
  let world: DeliveryWorld;
  let receiver: Receiver;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await world.stop();
    await receiver.close();
  });

  it('gets all of its leases back, for deliveries that were sent, queued after all, or had come before', async () => {
    const tenantId = uniqueTenantId();
    const { id } = await world.subscribe(tenantId, receiver.url);
    const { engine } = await world.startEngine({ perEndpoint: PER_ENDPOINT });
    const events = () => Array.from({ length: EVENTS }, () => appointmentEvent(tenantId));
    const [first, second] = [events(), events()];
    await takeIn(world, engine, ...first);
    await takeIn(world, engine, ...first);
    await takeIn(world, engine, ...second);
    await eventually(() => expect(receiver.requests).toHaveLength(2 * EVENTS));
    await takeIn(world, engine, ...second);

    const endpoint = { tenant_id: tenantId, id, events: [], version: 1, consecutive_failures: 0 };
    const delivery = {
      endpoint,
      eventId: '',
      name: 'appointment.created',
      bodyPosition: 1,
      traceparent: null,
      held: { bytes: 2, holders: 0 },
    } as const;
    const takeAll = () => {
      let taken = 0;
      while (engine.take(delivery)) taken += 1;
      for (let nth = 0; nth < taken; nth += 1) engine.giveBack(delivery);
      return taken;
    };
    await eventually(() => {
      // The one that is refused is as good as queued: a claim has to see first that nothing is.
      engine.wake();
      expect(takeAll()).toBe(LEASES);
    });
    expect(receiver.requests).toHaveLength(2 * EVENTS);
  });
});
