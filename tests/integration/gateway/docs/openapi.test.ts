import { OPERATIONS, type Operation } from '@frontdesk/contracts';
import {
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  randomAddress,
  send,
  startGatewayWorld,
} from '../gateway-world.ts';

describe('the description of the API', () => {
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
      openapi: '3.1.1',
      servers: [{ url: '/' }],
      paths: {
        '/api/v1/appointments': { post: { requestBody: { content: { 'application/json': { schema } } } } },
      },
    });
  });

  it('opens no other path', async () => {
    for (const path of ['/openapi.json/x', '/openapi', '/api/v1/openapi.json'])
      expect((await get(gateway, path)).status).toBe(401);
  });
});

describe('deprecated operations', () => {
  const deprecated = { since: '2026-06-01', sunset: '2027-06-01', link: 'https://docs.example.com/moved' };
  const operations = OPERATIONS.map(
    (operation): Operation => (operation.id === 'get-customer' ? { ...operation, deprecated } : operation),
  );
  const PATH = '/api/v1/customers/7';
  const HEADERS = [
    '@1780272000',
    'Tue, 01 Jun 2027 00:00:00 GMT',
    '<https://docs.example.com/moved>; rel="deprecation"',
  ];

  let world: GatewayWorld;
  let gateway: Gateway;
  let key: string;
  beforeAll(async () => {
    world = await startGatewayWorld();
    gateway = await world.startGateway({}, { operations });
    ({ key } = await world.newCaller(gateway));
  });
  afterAll(() => world.stop());

  const announced = ({ headers }: { headers: Headers }) =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

  it.each([200, 304, 404, 422, 503])('every %s of a deprecated operation says so', async (status) => {
    const headers = { etag: '"3"', 'content-type': 'application/json' };
    world.backend.respondWith(() => ({ status: status === 304 ? 200 : status, headers, body: '{"id":7}' }));
    const conditional = status === 304 ? { 'if-none-match': '"3"' } : {};
    const answer = await get(gateway, PATH, { ...bearer(key), ...conditional });
    expect([answer.status, ...announced(answer)]).toEqual([status, ...HEADERS]);
  });

  it('so does a refusal of the gateway itself', async () => {
    const answer = await get(gateway, PATH);
    expect([answer.status, ...announced(answer)]).toEqual([401, ...HEADERS]);
  });

  it('no other operation does', async () => {
    const init = { headers: { ...bearer(key), 'x-forwarded-for': randomAddress() } };
    for (const [method, path] of [
      ['GET', '/api/v1/customers'],
      ['PATCH', PATH],
    ])
      expect(announced(await send(`${gateway.url}${path}`, { method: String(method), ...init }))).toEqual(
        Array(3).fill(null),
      );
  });

  it('the description says so too', async () => {
    const { body } = await get(gateway, '/openapi.json');
    expect(body).toMatchObject({
      paths: { '/api/v1/customers/{id}': { get: { deprecated: true, 'x-sunset': '2027-06-01' } } },
    });
  });
});
