import type { Database } from '@frontdesk/database';
import { disableEndpoint } from './endpoint.repository.ts';
import { recordHealth } from './health.statements.ts';
import type { AttemptResult } from './queue.repository.ts';

/** A success is news of an endpoint that was failing, and now and then of any other. */
const SUCCESS_NEWS_MS = 60_000;
const MAX_REMEMBERED = 20_000;

export interface EndpointHealth {
  /** Keeps what these results say of their endpoints; ends those that are gone or have failed for days. */
  record(results: readonly AttemptResult[]): Promise<void>;
}

interface Told {
  tenantId: number;
  endpointId: number;
  successes: number;
  failures: number;
  lastFailure: string | null;
}

export function createEndpointHealth({ system, forTenant }: Database): EndpointHealth {
  /** Endpoint id → when its health was last written as good; who fails is not in here. */
  const healthySince = new Map<number, number>();

  const isNews = ({ endpointId, failures }: Told, now: number) =>
    failures > 0 || (healthySince.get(endpointId) ?? 0) < now - SUCCESS_NEWS_MS;

  const remember = (told: readonly Told[], now: number) => {
    if (healthySince.size > MAX_REMEMBERED) healthySince.clear();
    for (const { endpointId, failures } of told) {
      if (failures > 0) healthySince.delete(endpointId);
      else healthySince.set(endpointId, now);
    }
  };

  // One after the other, each with its event in a transaction of its tenant: it is the last thing that happens to them.
  const disable = async (endpoints: readonly { tenant_id: number; id: number }[], reason: string) => {
    for (const { tenant_id, id } of endpoints) {
      await forTenant(tenant_id).transaction((tx) => disableEndpoint(tx, id, reason));
    }
  };

  return {
    async record(results) {
      const now = Date.now();
      const news = summarise(results).filter((told) => isNews(told, now));
      if (news.length === 0) return;
      const failing = await system.many(
        recordHealth,
        news.map((told) => told.tenantId),
        news.map((told) => told.endpointId),
        news.map((told) => told.successes),
        news.map((told) => told.failures),
        news.map((told) => told.lastFailure),
      );
      remember(news, now);
      const gone = new Map(
        results
          .filter(({ verdict }) => verdict.disablesEndpoint)
          .map(({ claim }) => [claim.endpoint_id, { tenant_id: claim.tenant_id, id: claim.endpoint_id }]),
      );
      await disable([...gone.values()], 'gone');
      await disable(failing, 'failing');
    },
  };
}

function summarise(results: readonly AttemptResult[]): Told[] {
  return [...Map.groupBy(results, ({ claim }) => claim.endpoint_id)].map(([endpointId, own]) => {
    const failed = own.filter(({ outcome }) => outcome.errorClass !== null);
    const last = failed.at(-1)?.outcome;
    return {
      tenantId: (own[0] as AttemptResult).claim.tenant_id,
      endpointId,
      successes: own.length - failed.length,
      failures: failed.length,
      lastFailure: last ? (last.httpStatus === null ? last.errorClass : `HTTP ${last.httpStatus}`) : null,
    };
  });
}
