import { type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { hooksOf } from './hooks.ts';
import { replaysOf } from './replay-world.ts';
import { type RunningWebhooks, startWebhooks } from './webhooks-world.ts';

/** The service of the test file; and of each test a receiver and a tenant, with what its operator does. */
export let world: RunningWebhooks;
export let receiver: Receiver;
export let tenantId: number;
export let hooks: ReturnType<typeof hooksOf>;
export let replays: ReturnType<typeof replaysOf>;

/** Starts these for the tests of a file, and stops them. `env` goes before the defaults of `startWebhooks`. */
export function startForEachTest(env?: Record<string, string>): void {
  beforeAll(async () => {
    world = await startWebhooks(env);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    hooks = hooksOf(world, tenantId);
    replays = replaysOf(world, tenantId, hooks);
  });
  afterEach(() => receiver.close());
}
