import { Client } from 'pg';
import { eventually, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent, customerEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';
import { feedOf, idsOf } from './feed-of.ts';

let world: RunningWebhooks;
let writer: Client;
beforeEach(async () => {
  world = await startWebhooks();
  writer = new Client({ connectionString: world.databaseUrl });
  await writer.connect();
});
afterEach(async () => {
  await writer.end();
  await world.stop();
});

/** Runs this before the next statement of the name that the service sends. */
function beforeStatement(name: string, first: () => Promise<unknown>): { stop(): void } {
  const original = Client.prototype.query;
  const stop = () => {
    Client.prototype.query = original;
  };
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const send = () => Reflect.apply(original, this, args) as Promise<unknown>;
    const [{ name: sent }] = args as [{ name?: string }];
    if (sent !== name) return send();
    stop();
    return first().then(send);
  } as typeof original;
  return { stop };
}

it('the very first event of all comes once, though it comes in once its reader has seen that there is none', async () => {
  const tenant = uniqueTenantId();
  const { read, received } = feedOf(world, tenant);
  const event = customerEvent(tenant);
  const looking = beforeStatement('feed_find_page', () => received(event));
  try {
    const first = await read();
    const second = await read(`?after=${first.next}`);
    expect([...first.ids, ...second.ids]).toEqual(idsOf([event]));
  } finally {
    looking.stop();
  }
});

it('a process that knows less than another takes no cursor back', async () => {
  const tenant = uniqueTenantId();
  const late = await startWebhooks({}, world, { hasEvents: false });
  try {
    const ofLate = feedOf(late, tenant);
    await ofLate.read();
    const { read, received } = feedOf(world, tenant);
    const events = await received(customerEvent(tenant));
    const { ids, next } = await read();
    expect(ids).toEqual(idsOf(events));

    // As long as something writes, nothing more settles for the process that hasn't looked.
    await writer.query('begin');
    await writer.query('select pg_current_xact_id()');
    const behind = await ofLate.read(`?after=${next}`);
    await writer.query('commit');
    expect(behind.ids).toEqual([]);
    expect((await ofLate.read(`?after=${behind.next}`)).ids).toEqual([]);
    await eventually(async () => expect((await ofLate.read()).ids).toEqual(idsOf(events)));
  } finally {
    await late.stop();
  }
});

it('the delivery log shows no cursor behind which an event that came in earlier may still appear', async () => {
  const tenant = uniqueTenantId();
  const receiver = await startReceiver();
  const hooks = hooksOf(world, tenant);
  try {
    await hooks.create(receiver, ['appointment.created']);
    await writer.query('begin');
    await writer.query('select pg_current_xact_id()');
    await world.publish(appointmentEvent(tenant));
    const [unsettled] = await hooks.settled('delivered');
    await writer.query('commit');
    expect(unsettled?.feed_cursor).toBeNull();
    const settled = await eventually(async () => {
      const [delivery] = await hooks.log();
      expect(delivery).toMatchObject({ status: 'delivered', feed_cursor: expect.any(String) });
      return delivery;
    });
    const { events } = await feedOf(world, tenant).read();
    expect(settled?.feed_cursor).toBe(events[0]?.cursor);
  } finally {
    await receiver.close();
  }
});
