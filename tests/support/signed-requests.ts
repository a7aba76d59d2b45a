import { IDENTITY_HEADER, type Issuer, type Role } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { identityKeys } from './identity-keys.ts';

export interface Caller {
  issuer: Issuer;
  role: Role;
  tenantId?: number | undefined;
  /** Of the API key, where one was used. */
  keyId?: number | undefined;
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

/** Requests to a service's apps in this process, without a socket, each vouched for as its caller. */
export function signedRequests(audience: string) {
  const { signer } = identityKeys();
  const signers = new Map<Issuer, ReturnType<typeof signer>>();

  const tokenOf = async ({ issuer, role, tenantId, keyId }: Caller) =>
    (await signers.getOrInsertComputed(issuer, signer)).sign({ audience, role, tenantId, keyId });

  /** `caller` null: nobody vouches for the request. */
  const send = async (app: Pick<App, 'inject'>, caller: Caller | null, request: InjectedRequest) => {
    const { method, url, body, headers = {} } = request;
    const response = await app.inject({
      method,
      url,
      headers: { ...(caller && { [IDENTITY_HEADER]: await tokenOf(caller) }), ...headers },
      ...(body && { payload: body }),
    });
    const { statusCode: status } = response;
    return { status, headers: response.headers, body: response.body === '' ? null : response.json() };
  };

  return { tokenOf, send };
}
