import { createApp, createMetrics, ok } from '@frontdesk/service';
import { logger } from '../../support/index.ts';
import { type GatewayWorld, startGatewayWorld } from './gateway-world.ts';
import { lines, sendRaw } from './raw-client.ts';

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld();
});
afterAll(() => world.stop());

it('a head that fits the gateway fits a service too, with all that the gateway adds', async () => {
  const service = createApp({ logger, metrics: createMetrics() });
  service.get('/api/v1/customers', async () => ok([]));
  await service.listen({ host: '127.0.0.1', port: 0 });
  const gateway = await world.startGateway({ CRM_URL: service.listeningOrigin });
  const { key } = await world.newCaller(gateway);
  const statusWith = async (bytes: number) => {
    const head = [
      'GET /api/v1/customers HTTP/1.1',
      'Host: a',
      `X-API-Key: ${key}`,
      `X-Long: ${'x'.repeat(bytes)}`,
    ];
    return (await sendRaw(gateway.url, lines(...head, 'Connection: close'))).status;
  };
  expect([await statusWith(16_100), await statusWith(16_500)]).toEqual([200, 431]);
  await service.close();
});
