import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Audience,
  IDENTITY_HEADER,
  INTERNAL_ACCESS,
  ISSUER_ROLES,
  type Issuer,
  mayCall,
  type Role,
} from '@frontdesk/contracts';
import { createIdentitySigner } from '@frontdesk/service';
import { internalPortOf } from '../../scripts/start/processes/service-catalog.ts';
import { sharedSystem } from '../support/index.ts';

const AT_ONCE = 16;
/** Of no business: what is let in finds nothing, and changes nothing. */
const NOBODY = 9_007_199_254_740;
/** What services and admins both ask for. */
const SERVICES_ASK = ['/internal/tenants/:tenant_id', '/internal/tenants/:tenant_id/customers/by-ids'];
const AUDIENCES = Object.keys(INTERNAL_ACCESS) as Audience[];
const ISSUERS = Object.keys(ISSUER_ROLES) as Issuer[];

let system: Awaited<ReturnType<typeof sharedSystem>>;
beforeAll(async () => {
  system = await sharedSystem();
});

const routesOf = (audience: Audience) =>
  Object.keys(INTERNAL_ACCESS[audience]).flatMap((line) => {
    const [method = '', route = ''] = line.split(' ');
    return method === 'GET'
      ? [
          { method, route },
          { method: 'HEAD', route },
        ]
      : [{ method, route }];
  });

/** Beside the table, roles decide: an integrator has no internal route, and what settings-ui asks as itself no admin may. */
function isForRole(issuer: Issuer, role: Role, route: string): boolean {
  if (issuer !== 'settings-ui') return role !== 'integrator';
  const asItself = route.startsWith('/internal/operator-changes') || route === '/internal/keys/expiring';
  return role === 'admin' ? !asItself : asItself || SERVICES_ASK.includes(route);
}

async function send(audience: Audience, method: string, route: string, token?: string) {
  const path = route
    .replace(':tenant_id', String(NOBODY))
    .replace(':date', '2031-03-03')
    .replace(':time_off_id', String(NOBODY))
    .replace(':id', String(NOBODY));
  const answer = await fetch(`${system.urls[internalPortOf(audience)]}${path}`, {
    method,
    headers: token === undefined ? {} : { [IDENTITY_HEADER]: token },
  });
  const text = await answer.text();
  return { status: answer.status, code: text.startsWith('{') ? JSON.parse(text).code : undefined };
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

it('a token that its issuer has truly signed opens the routes of the table, and no other', async () => {
  const opened: string[] = [];
  const expected: string[] = [];
  let tried = 0;
  for (const issuer of ISSUERS) {
    const signer = await createIdentitySigner({
      issuer,
      privateKeyFile: join(system.keysDirectory, `${issuer}.json`),
    });
    for (const role of ISSUER_ROLES[issuer])
      for (const audience of AUDIENCES)
        await each(routesOf(audience), async ({ method, route }) => {
          const name = `${issuer} (${role}) → ${audience}: ${method} ${route}`;
          if (mayCall(issuer, audience, method, route) && isForRole(issuer, role, route)) expected.push(name);
          const token = await signer.sign({ audience, role, tenantId: NOBODY });
          const { status } = await send(audience, method, route, token);
          tried += 1;
          if (status !== 401 && status !== 403) opened.push(name);
        });
  }
  expect(opened.toSorted()).toEqual(expected.toSorted());
  // A business's records are the operator's and its own admins' alone, but for the few calls that services make.
  const isService = (name: string) => name.includes('(service)') && !name.startsWith('settings-ui');
  expect(expected.filter(isService).toSorted()).toEqual([
    'calls (service) → crm: GET /internal/snapshots/customers',
    'calls (service) → crm: HEAD /internal/snapshots/customers',
    'calls (service) → crm: POST /internal/tenants/:tenant_id/customers/by-phone',
    'calls (service) → gateway: GET /internal/tenants/:tenant_id',
    'calls (service) → gateway: HEAD /internal/tenants/:tenant_id',
    'calls (service) → scheduling: POST /internal/tenants/:tenant_id/appointments/by-ids',
    'crm (service) → gateway: GET /internal/tenants/:tenant_id',
    'crm (service) → gateway: HEAD /internal/tenants/:tenant_id',
    'crm (service) → scheduling: GET /internal/snapshots/appointments',
    'crm (service) → scheduling: HEAD /internal/snapshots/appointments',
    'gateway (service) → calls: GET /internal/stored-bytes',
    'gateway (service) → calls: HEAD /internal/stored-bytes',
    'gateway (service) → calls: POST /internal/call-sources/find',
    'gateway (service) → calls: POST /internal/call-sources/refused',
    'gateway (service) → crm: GET /internal/stored-bytes',
    'gateway (service) → crm: HEAD /internal/stored-bytes',
    'gateway (service) → crm: POST /internal/customer-totals',
    'gateway (service) → scheduling: GET /internal/stored-bytes',
    'gateway (service) → scheduling: HEAD /internal/stored-bytes',
    'gateway (service) → webhooks: GET /internal/stored-bytes',
    'gateway (service) → webhooks: HEAD /internal/stored-bytes',
    'scheduling (service) → crm: GET /internal/snapshots/customers',
    'scheduling (service) → crm: HEAD /internal/snapshots/customers',
    'scheduling (service) → crm: POST /internal/tenants/:tenant_id/customers/by-ids',
    'scheduling (service) → gateway: GET /internal/tenants/:tenant_id',
    'scheduling (service) → gateway: HEAD /internal/tenants/:tenant_id',
  ]);
  // The operator's command line does so much for a business, and its key no more: no customer, no appointment, no call is among it.
  const ofOperator = expected.filter((name) => name.startsWith('operator') && name.includes(':tenant_id'));
  const lines = ofOperator.filter((name) => !name.includes(': HEAD'));
  expect(
    lines
      .map((name) => name.replace('operator (operator) → ', '').replace('/internal/tenants/:tenant_id', '…'))
      .toSorted(),
  ).toEqual([
    'calls: DELETE …/call-messages/:id',
    'calls: DELETE …/call-sources/:id',
    'calls: GET …/call-messages',
    'calls: GET …/call-messages/:id',
    'calls: GET …/call-sources',
    'calls: GET …/call-sources/:id',
    'calls: GET …/quota-usage',
    'calls: PATCH …/call-sources/:id',
    'calls: POST …/call-messages/:id/replay',
    'calls: POST …/call-sources',
    'calls: POST …/call-sources/:id/rotate',
    'crm: GET …/quota-usage',
    'gateway: DELETE …/keys/:id',
    'gateway: GET …',
    'gateway: GET …/keys',
    'gateway: GET …/quota-usage',
    'gateway: PATCH …',
    'gateway: PATCH …/keys/:id',
    'gateway: POST …/keys',
    'gateway: POST …/keys/:id/leaked',
    'gateway: POST …/keys/:id/revoke',
    'gateway: POST …/keys/:id/roll',
    'scheduling: DELETE …/holds',
    'scheduling: GET …/business',
    'scheduling: GET …/quota-usage',
    'scheduling: PUT …/business',
    'settings-ui: DELETE …/admins/:id',
    'settings-ui: GET …/admins',
    'settings-ui: GET …/quota-usage',
    'settings-ui: POST …/admins',
    'settings-ui: POST …/admins/reset-link',
    'settings-ui: PUT …/admins/:id/role',
    'settings-ui: PUT …/admins/password',
    'webhooks: DELETE …/webhooks/:id',
    'webhooks: GET …/webhooks',
    'webhooks: GET …/webhooks/:id',
    'webhooks: GET …/webhooks/:id/replays',
    'webhooks: GET …/webhooks/deliveries',
    'webhooks: GET …/webhooks/replays/:id',
    'webhooks: PATCH …/webhooks/:id',
    'webhooks: POST …/webhooks',
    'webhooks: POST …/webhooks/:id/replays',
    'webhooks: POST …/webhooks/:id/rotate-secret',
    'webhooks: POST …/webhooks/:id/test',
    'webhooks: POST …/webhooks/deliveries/:id/resend',
    'webhooks: POST …/webhooks/deliveries/:id/send-now',
    'webhooks: POST …/webhooks/replays/:id/cancel',
  ]);
  expect(tried).toBeGreaterThan(1_000);
});

it('403 for a route of others, in the envelope; 404 for no route only to who calls something there', async () => {
  const signer = await createIdentitySigner({
    issuer: 'calls',
    privateKeyFile: join(system.keysDirectory, 'calls.json'),
  });
  const ask = async (audience: Audience, method: string, path: string) =>
    send(audience, method, path, await signer.sign({ audience, role: 'service' }));
  expect(await ask('crm', 'GET', '/internal/tenants/1/customers')).toEqual({
    status: 403,
    code: 'forbidden',
  });
  expect(await ask('crm', 'GET', '/internal/nothing')).toEqual({ status: 404, code: 'not_found' });
  expect(await ask('crm', 'PUT', '/internal/snapshots/customers')).toMatchObject({ status: 405 });
  for (const path of ['/internal/nothing', '/internal/tenants/1/webhooks', '/internal/..%2f', '/internal'])
    expect([path, await ask('webhooks', 'GET', path)]).toEqual([path, { status: 403, code: 'forbidden' }]);
});

it('401 without an identity on every route and every path below /internal; health and metrics stay open', async () => {
  for (const audience of AUDIENCES) {
    await each([...routesOf(audience), { method: 'GET', route: '/internal/nothing' }], async (one) => {
      const { status } = await send(audience, one.method, one.route);
      expect([audience, one, status]).toEqual([audience, one, 401]);
    });
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      for (const method of ['GET', 'HEAD'])
        expect([path, (await send(audience, method, path)).status]).toEqual([path, 200]);
  }
});

it('webhooks, which calls nobody, has no key', async () => {
  expect(await readFile(join(system.keysDirectory, 'webhooks.json'), 'utf8').catch(() => null)).toBeNull();
  const publicKeys = JSON.parse(await readFile(join(system.keysDirectory, 'public.json'), 'utf8'));
  expect(Object.keys(publicKeys).toSorted()).toEqual(ISSUERS.toSorted());
});
