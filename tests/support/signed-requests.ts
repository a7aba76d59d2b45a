import {
  type Audience,
  IDENTITY_HEADER,
  INTERNAL_ACCESS,
  type Issuer,
  mayCall,
  OPERATOR_CHANGES,
  type Role,
  type Scope,
} from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { identityKeys } from './identity-keys.ts';

export interface Caller {
  issuer: Issuer;
  role: Role;
  tenantId?: number | undefined;
  /** Of the API key, where one was used. */
  keyId?: number | undefined;
  /** Of the admin who uses the pages. */
  userId?: number | undefined;
  /** What they may do; without it what processes of the release before say. */
  scopes?: readonly Scope[] | undefined;
  /** Who uses the operator's key. */
  actor?: string | undefined;
}

export interface InjectedRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: string;
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

export const integratorOf = (tenantId: number): Caller => ({
  issuer: 'gateway',
  role: 'integrator',
  tenantId,
});
export const operator: Caller = { issuer: 'operator', role: 'operator' };

/**
 * Who makes a request in tests of what can be done, not of who may: where the operator's command line doesn't do it for a business, the
 * business's own admin takes the operator's place. Tests of access sign tokens themselves.
 * @throws for a change that the command line makes, and has lost the right to
 */
export function whoRuns(
  caller: Caller,
  audience: string,
  { method, url }: { method: string; url: string },
): Caller {
  const [path = ''] = url.split('?');
  const tenantId = /^\/internal\/tenants\/([1-9]\d*)(?=\/|$)/.exec(path)?.[1];
  if (caller.role !== 'operator' || tenantId === undefined) return caller;
  const parametersOf = (pattern: string) => pattern.split(':').length;
  // As a router does: what a pattern names comes before a parameter.
  const [route] = Object.keys(INTERNAL_ACCESS[audience as Audience])
    .map((line) => line.slice(line.indexOf(' ') + 1))
    .filter(
      (pattern) =>
        new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path) &&
        mayCall('settings-ui', audience, method, pattern),
    )
    .toSorted((one, other) => parametersOf(one) - parametersOf(other));
  if (route === undefined || mayCall('operator', audience, method, route)) return caller;
  if (Object.hasOwn(OPERATOR_CHANGES[audience as Audience], `${method} ${route}`))
    throw new Error(`Operators may not call ${method} ${route} of ${audience}.`);
  return { issuer: 'settings-ui', role: 'admin', tenantId: Number(tenantId) };
}

/** Requests to a service's apps in this process, without a socket, each vouched for as its caller. */
export function signedRequests(audience: string) {
  const { signer } = identityKeys();
  const signers = new Map<Issuer, ReturnType<typeof signer>>();

  const tokenOf = async ({ issuer, ...claims }: Caller) =>
    (await signers.getOrInsertComputed(issuer, signer)).sign({ audience, ...claims });

  /** `caller` null: nobody vouches for the request. */
  const send = async (app: Pick<App, 'inject'>, caller: Caller | null, request: InjectedRequest) => {
    const { method, url, body, headers = {} } = request;
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(caller && { [IDENTITY_HEADER]: await tokenOf(whoRuns(caller, audience, request)) }),
        ...headers,
      },
      ...(body && { payload: body }),
    });
    const { statusCode: status } = response;
    return { status, headers: response.headers, body: response.body === '' ? null : response.json() };
  };

  return { tokenOf, send };
}
