import { IDENTITY_HEADER } from '@frontdesk/contracts';
import type { SchedulingWorld } from './scheduling-world.ts';

/** An integrator's request whose body is sent as it is written here, JSON or not. */
export async function rawRequest(
  world: SchedulingWorld,
  tenantId: number,
  request: { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string; payload?: string },
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const { method, path, payload } = request;
  const token = await world.tokenOf({ issuer: 'gateway', role: 'integrator', tenantId });
  const response = await world.service.api.inject({
    method,
    url: `/api/v1${path}`,
    headers: { [IDENTITY_HEADER]: token, ...headers },
    ...(payload !== undefined && { payload }),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}
