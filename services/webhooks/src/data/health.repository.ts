import type { Database } from '@frontdesk/database';
import { disableEndpoint } from './endpoint.repository.ts';
import { type EndedEndpoint, recordHealth } from './health.statements.ts';

/** What the results of some moments say of one endpoint. */
export interface Told {
  tenantId: number;
  endpointId: number;
  /** The endpoint's, when its address was read: a later one is not what these results are about. */
  version: number;
  successes: number;
  failures: number;
  /** Since the last success among these results. */
  failuresOnEnd: number;
  lastFailure: string | null;
  /** It has answered never to come back. */
  isGone: boolean;
}

export interface EndpointHealth {
  /** Keeps what has been told; ends the endpoints that are gone or have failed for days. */
  record(told: readonly Told[]): Promise<void>;
}

export function createEndpointHealth({ system, forTenant }: Database): EndpointHealth {
  // One after the other, each with its event in a transaction of its tenant: it is the last thing that happens to them.
  const disable = async (endpoints: readonly EndedEndpoint[], reason: string) => {
    for (const { tenant_id, id, version } of endpoints) {
      await forTenant(tenant_id).transaction((tx) => disableEndpoint(tx, { id, version, reason }));
    }
  };

  return {
    async record(told) {
      const failing = await system.many(
        recordHealth,
        told.map(({ tenantId }) => tenantId),
        told.map(({ endpointId }) => endpointId),
        told.map(({ version }) => version),
        told.map(({ successes }) => successes),
        told.map(({ failures }) => failures),
        told.map(({ failuresOnEnd }) => failuresOnEnd),
        told.map(({ lastFailure }) => lastFailure),
      );
      const gone = told.filter(({ isGone }) => isGone);
      await disable(
        gone.map(({ tenantId, endpointId, version }) => ({ tenant_id: tenantId, id: endpointId, version })),
        'gone',
      );
      await disable(failing, 'failing');
    },
  };
}
