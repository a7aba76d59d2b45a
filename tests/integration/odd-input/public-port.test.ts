import { OPERATIONS } from '@frontdesk/contracts';
import { request } from 'undici';
import { buildGateway } from '../../../services/gateway/src/app.ts';
import { configSchema } from '../../../services/gateway/src/config.ts';
import { migrations } from '../../../services/gateway/src/migrations/index.ts';
import { operator } from '../../support/index.ts';
import { randomAddress } from '../gateway/gateway-world.ts';
import { startUnderTest, type UnderTest } from './service-under-test.ts';
import { walk } from './walk.ts';

/** For ODD_INPUT=all. */
jest.setTimeout(7_200_000);

/** One of each kind: the gateway treats the others the same. */
const WALKED = ['list-customers', 'create-appointment', 'update-customer'];
const bodyOf = (id: string) => OPERATIONS.find((operation) => operation.id === id)?.body;
const routes = [
  ...OPERATIONS.filter(({ id }) => WALKED.includes(id)).map(({ method, path, body, query }) => ({
    method,
    url: path.replace('{id}', ':id'),
    schema: { body, querystring: query },
  })),
  { method: 'POST', url: '/ingest/calls/:source', schema: { body: bodyOf('create-appointment') } },
] as UnderTest['routes'];

let gateway: UnderTest;

beforeAll(async () => {
  gateway = await startUnderTest({ name: 'gateway', configSchema, migrations, build: buildGateway });
});
afterAll(() => gateway.stop());

async function post(path: string, body: object): Promise<{ id: number; key: string }> {
  const headers = { ...(await gateway.identityOf(operator)), 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify(body) } as const;
  const answer = await request(`${gateway.running.internalUrl}/internal/tenants${path}`, options);
  expect(answer.statusCode).toBe(201);
  return ((await answer.body.json()) as { data: { id: number; key: string } }).data;
}

it('the gateway’s public port passes on or refuses whatever comes without a fault, and goes on', async () => {
  const salon = {
    name: 'Salon',
    plan: 'enterprise',
    timezone: 'Europe/Berlin',
    country: 'DE',
    currency: 'EUR',
  };
  const { id } = await post('', salon);
  const { key } = await post(`/${id}/keys`, { name: 'Website' });
  // What fails is counted by address, in a Redis that other tests use as well.
  const identityOf = async () => ({ 'x-api-key': key, 'x-forwarded-for': randomAddress() });
  const asIntegrator = { ...gateway, routes, identityOf };
  const { faults } = await walk(asIntegrator, id, { source: 'a'.repeat(40) }, { judgesBodies: false });
  expect(faults).toEqual([]);
  expect(await gateway.running.stop()).toBe(0);
});
