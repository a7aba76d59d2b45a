import { ALL_KEY_SCOPES } from '@frontdesk/contracts';
import type { RouteOptions } from 'fastify';
import { request } from 'undici';
import { eventually } from '../../support/index.ts';
import { type Caller, integratorOf, operator } from '../../support/signed-requests.ts';
import { type OddRequest, oddRequestsTo } from './odd-requests.ts';
import type { UnderTest } from './service-under-test.ts';

const AT_ONCE = 8;
const SHOWN = 300;
/** Ends only what never comes. */
const ANSWERED_WITHIN_MS = 60_000;

const callersOf = (tenantId: number): Caller[] => [
  operator,
  { ...integratorOf(tenantId), scopes: ALL_KEY_SCOPES },
  { issuer: 'settings-ui', role: 'admin', tenantId },
  ...(['gateway', 'crm', 'calls', 'scheduling', 'settings-ui'] as const).map((issuer) => ({
    issuer,
    role: 'service' as const,
  })),
];

interface Walked extends Pick<UnderTest, 'routes' | 'originOf'> {
  identityOf(caller: Caller): Promise<Record<string, string>>;
}

/** Sends odd requests to every route of a service. @returns what was answered wrongly, in words */
export async function walk(
  service: Walked,
  tenantId: number,
  ids: Record<string, string> = {},
  /** Whether it judges what is in bodies, or passes them on. */
  { judgesBodies = true } = {},
) {
  const params = { date: '2031-03-03', ...ids, tenant_id: String(tenantId) };
  const faults: string[] = [];

  const send = async (odd: OddRequest, identity: Record<string, string>) => {
    const { method, path, headers, body } = odd;
    try {
      const answer = await request(`${service.originOf(path)}${path}`, {
        method: method as 'GET',
        headersTimeout: ANSWERED_WITHIN_MS,
        bodyTimeout: ANSWERED_WITHIN_MS,
        headers: { ...identity, ...headers },
        ...(body !== undefined && { body }),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  };

  const callerFor = async (route: RouteOptions): Promise<Caller> => {
    const [good] = oddRequestsTo(route, { ...params, id: '9007199254740991' });
    for (const caller of callersOf(tenantId)) {
      // Some routes become ready only after the service has begun to listen.
      const { status } = await eventually(async () => {
        const answer = await send(good as OddRequest, await service.identityOf(caller));
        expect(answer.status).not.toBe(503);
        return answer;
      });
      if (status !== 401 && status !== 403) return caller;
    }
    throw new Error(`Nobody may call ${String(route.method)} ${route.url}.`);
  };

  const judge = (odd: OddRequest, { status, text }: { status: number; text: string }) => {
    const isFault = status === 0 || status >= 500;
    const isWrong = judgesBodies && odd.status !== undefined && status !== odd.status;
    if (!isFault && !isWrong) return;
    const { method, path, headers, body = '' } = odd;
    const asked = `${method} ${path.slice(0, SHOWN)} ${JSON.stringify(headers).slice(0, SHOWN)} ${body.slice(0, SHOWN)}`;
    faults.push(`${asked} → ${status} instead of ${odd.status ?? 'below 500'}: ${text.slice(0, SHOWN)}`);
  };

  // What is deleted is gone for the others.
  const isLast = (route: RouteOptions) => route.method === 'DELETE';
  for (const route of service.routes.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    const caller = await callerFor(route);
    const odd = oddRequestsTo(route, params);
    for (let sent = 0; sent < odd.length; sent += AT_ONCE) {
      const identity = await service.identityOf(caller);
      const together = odd.slice(sent, sent + AT_ONCE);
      await Promise.all(together.map(async (one) => judge(one, await send(one, identity))));
    }
  }
  return { faults, routes: service.routes.length };
}
