import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { appointmentEvent } from './sample-events.ts';
import { takeIn } from './take-in.ts';

const EVENTS = 150;
/** With one place an endpoint is lent up to so many. */
const PER_ENDPOINT = 1;
const LENT = 100;

describe('lending', () => {
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

  it('gets all of its room back, of what was sent, queued after all, or had come before', async () => {
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
      held: { bytes: 2, holders: 0 },
    } as const;
    const lendAll = () => {
      let lent = 0;
      while (engine.lender.take(delivery)) lent += 1;
      for (let nth = 0; nth < lent; nth += 1) engine.lender.giveBack(delivery);
      return lent;
    };
    await eventually(() => expect(lendAll()).toBe(LENT));
    expect(receiver.requests).toHaveLength(2 * EVENTS);
  });
});
