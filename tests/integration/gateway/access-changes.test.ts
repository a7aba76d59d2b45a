import { Redis } from 'ioredis';
import { createAccessChanges } from '../../../services/gateway/src/clients/access-changes.ts';
import { engines, eventually, uniqueTenantId } from '../../support/index.ts';

const connections: Redis[] = [];
const newConnection = () => {
  const redis = new Redis(engines().redisUrl, { lazyConnect: true, enableOfflineQueue: false });
  connections.push(redis);
  return redis;
};
afterAll(() => {
  for (const redis of connections) redis.disconnect();
});

it('what could not be announced before is announced at the stop', async () => {
  const heard: number[] = [];
  const listener = newConnection();
  listener.on('message', (_channel: string, tenantId: string) => heard.push(Number(tenantId)));
  await listener.connect();
  await listener.subscribe('gateway:access-changed');

  const publisher = newConnection();
  const changes = createAccessChanges({
    publisher,
    subscriber: newConnection(),
    onTenant: () => {},
    onReset: () => {},
    onSilence: async () => {},
  });
  const tenantId = uniqueTenantId();
  // Redis is away for this connection, and the part's own retries never began.
  changes.announce(tenantId);
  await eventually(() => expect(publisher.status).toBe('ready'));
  await changes.stop?.();
  await eventually(() => expect(heard).toContain(tenantId));
});
