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
  /** Keeps what has been told. @returns the endpoints that are gone or have failed for days: they are to be disabled */
  record(told: readonly Told[]): Promise<FailedEndpoint[]>;
  disable(endpoint: FailedEndpoint): Promise<void>;
}

/** An endpoint that is to be disabled, unless it has been changed since it was at this version. */
export interface FailedEndpoint extends EndedEndpoint {
  reason: 'gone' | 'failing';
}

export function createEndpointHealth({ system, forTenantInBackground }: Database): EndpointHealth {
  return {
    async record(told) {
      const failing = await system.many(recordHealth, {
        tenantIds: told.map(({ tenantId }) => tenantId),
        endpointIds: told.map(({ endpointId }) => endpointId),
        versions: told.map(({ version }) => version),
        successes: told.map(({ successes }) => successes),
        failures: told.map(({ failures }) => failures),
        failuresOnEnd: told.map(({ failuresOnEnd }) => failuresOnEnd),
        lastFailures: told.map(({ lastFailure }) => lastFailure),
      });
      const gone = told
        .filter(({ isGone }) => isGone)
        .map(({ tenantId, endpointId, version }) => ({ tenant_id: tenantId, id: endpointId, version }));
      return [
        ...gone.map((endpoint) => ({ ...endpoint, reason: 'gone' as const })),
        ...failing.map((endpoint) => ({ ...endpoint, reason: 'failing' as const })),
      ];
    },
    async disable({ tenant_id, id, version, reason }) {
      await forTenantInBackground(tenant_id).transaction((tx) =>
        disableEndpoint(tx, { id, version, reason }),
      );
    },
  };
}
