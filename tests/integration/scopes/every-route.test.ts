import { ALL_SCOPES, mayCall, type Operation, operations, type Scope } from '@frontdesk/contracts';
import type { RouteOptions } from 'fastify';
import { request } from 'undici';
import { eventually } from '../../support/index.ts';
import { type Caller, integratorOf } from '../../support/signed-requests.ts';
import type { UnderTest } from '../odd-input/service-under-test.ts';
import { SERVICES } from '../odd-input/services-under-test.ts';

/** The example of each operation's body, by method and path. */
const EXAMPLES = new Map(
  Object.values<Operation>(operations).map(({ method, path, body, example }) => [
    `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    body && example,
  ]),
);
/** Who adds an endpoint needs the scopes of what its example subscribes to. */
const ASK_MORE = new Map([['POST /api/v1/webhooks', { scope: 'appointments:read' }]]);

const scopeOf = ({ config }: RouteOptions) => (config as { scope?: Scope | null } | undefined)?.scope;

describe.each(SERVICES)('the routes of %s', (name, start) => {
  let service: UnderTest;
  let tenantId: number;
  let forKeys: RouteOptions[];
  let forPages: RouteOptions[];
  beforeAll(async () => {
    service = await start();
    tenantId = service.newTenant();
    forKeys = service.routes.filter(({ url }) => url.startsWith('/api/'));
    forPages = service.routes.filter(
      ({ method, url }) =>
        url.startsWith('/internal/tenants/') && mayCall('settings-ui', name, String(method), url),
    );
  });
  afterAll(() => service.stop());

  const ask = async (
    { method, url }: Pick<RouteOptions, 'method' | 'url'>,
    caller: Caller,
    scopes: readonly Scope[],
  ) => {
    const path = url.replace(':tenant_id', String(tenantId)).replaceAll(/:\w+/g, '9007199254740991');
    const answer = await request(`${service.originOf(path)}${path}`, {
      method: method as 'GET',
      headers: { ...(await service.identityOf({ ...caller, scopes })), 'content-type': 'application/json' },
      ...(method !== 'GET' &&
        method !== 'DELETE' && { body: JSON.stringify(EXAMPLES.get(`${String(method)} ${url}`) ?? {}) }),
    });
    return {
      status: answer.statusCode,
      body: (await answer.body.json()) as { code?: string; data?: object },
    };
  };
  const admin = (): Caller => ({ issuer: 'settings-ui', role: 'admin', tenantId });
  const all = (): [RouteOptions, Caller][] => [
    ...forKeys.map((route): [RouteOptions, Caller] => [route, integratorOf(tenantId)]),
    ...forPages.map((route): [RouteOptions, Caller] => [route, admin()]),
  ];

  it('say which scope they need, or that they need none', () => {
    const silent = all().filter(([route]) => scopeOf(route) === undefined);
    expect(silent.map(([{ method, url }]) => `${String(method)} ${url}`)).toEqual([]);
    expect(forPages.length).toBeGreaterThan(5);
  });

  it('are all that there is: 404 and 405 tell others of nothing else, whatever the caller may do', async () => {
    const paths = [...new Set(forKeys.map(({ url }) => url))];
    // A fixed path is one of the ids of another path as well.
    const takes = (method: string, path: string) =>
      forKeys.some(
        (route) =>
          route.method === method && new RegExp(`^${route.url.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
      );
    const wrong = paths.flatMap((url) =>
      ['PUT', 'DELETE', 'PATCH'].filter((method) => !takes(method, url)).map((method) => ({ method, url })),
    );
    const unknown = paths.map((url) => ({ method: 'GET', url: `${url}/no/such/path` }));
    for (const scopes of [[], ALL_SCOPES]) {
      for (const route of wrong)
        expect([route, (await ask(route, integratorOf(tenantId), scopes)).status]).toEqual([route, 405]);
      for (const route of unknown)
        expect([route, (await ask(route, integratorOf(tenantId), scopes)).status]).toEqual([route, 404]);
    }
  });

  it('403 insufficient_scope names the missing scope, whatever else the caller has', async () => {
    for (const [route, caller] of all()) {
      const scope = scopeOf(route);
      if (!scope) continue;
      const others = ALL_SCOPES.filter((one) => one !== scope);
      const { status, body } = await ask(route, caller, others);
      expect([route.method, route.url, status, body.code, body.data]).toEqual([
        route.method,
        route.url,
        403,
        'insufficient_scope',
        { scope },
      ]);
    }
  });

  it('ask no more of whoever has that one alone', async () => {
    for (const [route, caller] of all()) {
      const scope = scopeOf(route);
      const { body } = await eventually(async () => {
        const answer = await ask(route, caller, scope ? [scope] : []);
        expect(answer.status).not.toBe(503);
        return answer;
      });
      const line = `${String(route.method)} ${route.url}`;
      const lacking = body.code === 'insufficient_scope' ? body.data : undefined;
      expect([line, lacking]).toEqual([line, ASK_MORE.get(line)]);
    }
  });
});
