import type { Database } from '@frontdesk/database';
import { disableEndpoint } from './endpoint.repository.ts';
import { type EndedEndpoint, recordHealth } from './health.statements.ts';

/** What the results of a short time say about one endpoint. */
export interface HealthReport {
  tenantId: number;
  endpointId: number;
  /** The endpoint's version when its URL was read. The results say nothing about a later version. */
  version: number;
  successes: number;
  failures: number;
  /** Since the last success among these results. */
  failuresOnEnd: number;
  lastFailure: string | null;
  /** It answered 410. */
  isGone: boolean;
}

export interface EndpointHealth {
  /** Stores what the reports say. @returns the endpoints that are gone or have failed for days: they are to be disabled */
  record(reports: readonly HealthReport[]): Promise<FailedEndpoint[]>;
  disable(endpoint: FailedEndpoint): Promise<void>;
}

/** An endpoint that is to be disabled, unless it has been changed since it was at this version. */
export interface FailedEndpoint extends EndedEndpoint {
  reason: 'gone' | 'failing';
}

export function createEndpointHealth({ system, forTenantInBackground }: Database): EndpointHealth {
  return {
    async record(reports) {
      const failing = await system.many(recordHealth, {
        tenantIds: reports.map(({ tenantId }) => tenantId),
        endpointIds: reports.map(({ endpointId }) => endpointId),
        versions: reports.map(({ version }) => version),
        successes: reports.map(({ successes }) => successes),
        failures: reports.map(({ failures }) => failures),
        failuresOnEnd: reports.map(({ failuresOnEnd }) => failuresOnEnd),
        lastFailures: reports.map(({ lastFailure }) => lastFailure),
      });
      const gone = reports
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
