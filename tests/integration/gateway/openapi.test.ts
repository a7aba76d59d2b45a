import { type Gateway, type GatewayWorld, get, startGatewayWorld } from './gateway-world.ts';

let world: GatewayWorld;
let gateway: Gateway;
beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
afterAll(() => world.stop());

it('is there without a key, outside of API v1', async () => {
  const { status, headers, body } = await get(gateway, '/openapi.json');
  expect([status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
    200,
    'application/json; charset=utf-8',
    '*',
  ]);
  const schema = {
    properties: { customer_id: { type: 'integer' } },
    required: ['customer_id', 'service_id', 'appointment_date', 'appointment_time'],
  };
  expect(body).toMatchObject({
    ...{ openapi: '3.1.1', servers: [{ url: '/' }] },
    paths: {
      '/api/v1/appointments': { post: { requestBody: { content: { 'application/json': { schema } } } } },
    },
  });
});

it('opens no other path', async () => {
  for (const path of ['/openapi.json/x', '/openapi', '/api/v1/openapi.json'])
    expect((await get(gateway, path)).status).toBe(401);
});
