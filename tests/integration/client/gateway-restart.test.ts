import { Frontdesk } from '../../../sdk/typescript/src/index.ts';
import { eventually, freePort, startReceiver } from '../../support/index.ts';
import { type GatewayWorld, startGatewayWorld } from '../gateway/gateway-world.ts';
import { customerEvent } from '../webhooks/sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks/webhooks-world.ts';
import { runTimeFolder, startFrontdesk, untilListening } from './command-line.ts';

let webhooks: RunningWebhooks;
let world: GatewayWorld;
beforeAll(async () => {
  [webhooks, world] = await Promise.all([startWebhooks(), startGatewayWorld()]);
});
afterAll(async () => {
  await world?.stop();
  await webhooks?.stop();
});

it('the gateway’s stop, which cuts off requests that wait, and its restart cost nobody who follows an event', async () => {
  const PORT = String(await freePort());
  const env = { PORT, WEBHOOKS_URL: webhooks.apiUrl };
  const first = await world.startGateway(env);
  const { key, tenantId } = await world.newCaller(first);
  const { key: otherKey } = await world.newKey(first, tenantId);
  const receiver = await startReceiver();
  const folder = await runTimeFolder();
  const url = `http://127.0.0.1:${PORT}`;
  const listener = startFrontdesk(['listen', '--json', '--forward', receiver.url], {
    FRONTDESK_URL: url,
    FRONTDESK_API_KEY: otherKey,
    XDG_RUNTIME_DIR: folder.path,
  });
  const ending = new AbortController();
  try {
    await untilListening(listener);
    const followed: string[] = [];
    let faults = 0;
    const follow = async () => {
      const { events } = new Frontdesk({ apiKey: key, baseUrl: url });
      const onFault = () => {
        faults += 1;
      };
      for await (const { id } of events.follow({}, { signal: ending.signal, onFault })) followed.push(id);
    };
    const following = follow().catch((error: Error) => error);
    const [before, meanwhile, after] = [0, 1, 2].map(() => customerEvent(tenantId));
    if (!before || !meanwhile || !after) throw new Error('There are three.');
    const forwarded = () => receiver.requests.map(({ headers }) => headers['webhook-id']);

    await webhooks.publish(before);
    await eventually(() =>
      expect([followed, forwarded()]).toEqual([[`evt_${before.event_id}`], [`evt_${before.event_id}`]]),
    );
    // Both wait again by now, or soon: the stop ends what does, after its eight seconds.
    await first.stop();
    // More failures in a row than any other call bears: 1, 2 and 4 are told.
    await eventually(() => expect([faults > 3, listener.records('note').length > 2]).toEqual([true, true]));
    await webhooks.publish(meanwhile);
    await world.startGateway(env);
    await webhooks.publish(after);

    const ids = [before, meanwhile, after].map(({ event_id }) => `evt_${event_id}`);
    // Events of different customers may come in otherwise than they were published.
    await eventually(() => expect(followed.toSorted()).toEqual(ids.toSorted()));
    await eventually(() => expect(forwarded()).toEqual(followed));
    ending.abort(new Error('done'));
    expect(await following).toEqual(new Error('done'));
    listener.kill('SIGTERM');
    expect(await listener.ended).toBe(0);
  } finally {
    ending.abort();
    listener.kill('SIGKILL');
    await listener.ended;
    await receiver.close();
    await folder.remove();
  }
});
