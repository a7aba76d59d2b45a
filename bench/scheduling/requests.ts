import { IDENTITY_HEADER } from '@frontdesk/contracts';
import type { IdentitySigner } from '@frontdesk/service';
import type { Pool } from 'undici';
import { bookingBody, paths } from '../../tests/support/appointment-queries.ts';

/** Sends requests to scheduling as the gateway would, for any tenant; each returns the length of its answer. */
export function createCaller(pool: Pool, signer: IdentitySigner) {
  const send = async (
    tenant: number,
    method: 'GET' | 'POST',
    path: string,
    expected: number[],
    body?: object,
  ) => {
    const token = await signer.sign({ audience: 'scheduling', role: 'integrator', tenantId: tenant });
    const answer = await pool.request({
      method,
      path,
      headers: { [IDENTITY_HEADER]: token, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (!expected.includes(answer.statusCode))
      throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return text.length;
  };
  return {
    get: (tenant: number, path: string) => send(tenant, 'GET', path, [200]),
    /** Accepts 503 and 504 too, which a slow machine may answer. */
    tryToGet: (tenant: number, path: string) => send(tenant, 'GET', path, [200, 503, 504]),
    /** Books; a slot that is taken is part of life. */
    book: (tenant: number, n: number) =>
      send(tenant, 'POST', paths.appointments, [201, 409], bookingBody(tenant, n)),
    bookAs: (tenant: number, body: object) => send(tenant, 'POST', paths.appointments, [201, 409], body),
  };
}
