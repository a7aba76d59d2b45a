import { eventually, patientUrl, startRelay } from '../../../support/index.ts';
import { bearer, get, startGatewayWorld } from '../gateway-world.ts';

it('503 for keys that have to be looked up while the database hangs, also behind one that hangs already', async () => {
  const world = await startGatewayWorld();
  const { key } = await world.newCaller(await world.startGateway());
  const relay = await startRelay(world.environment().DATABASE_URL);
  const gateway = await world.startGateway({
    DATABASE_URL: patientUrl(relay.url),
    DATABASE_REQUEST_MS: '500',
  });
  relay.hang();
  const ask = () => get(gateway, '/api/v1/customers', bearer(key));
  for (let i = 0; i < 3; i += 1) {
    const { status, headers, body } = await ask();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  }
  await relay.restore();
  await eventually(async () => expect((await ask()).status).toBe(200));
  await gateway.stop();
  await relay.close();
  await world.stop();
});
