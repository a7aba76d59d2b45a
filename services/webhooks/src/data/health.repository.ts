import type { Database } from '@frontdesk/database';
import { disableEndpoints, recordHealth } from './health.statements.ts';
import type { AttemptResult } from './queue.repository.ts';
import { cancelWaiting } from './queue.statements.ts';

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

export function createEndpointHealth({ system }: Database): EndpointHealth {
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

  const disable = async (endpoints: readonly { tenant_id: number; id: number }[], reason: string) => {
    if (endpoints.length === 0) return;
    const columns = [endpoints.map(({ tenant_id }) => tenant_id), endpoints.map(({ id }) => id)] as const;
    await system.transaction(async (tx) => {
      await tx.many(disableEndpoints, ...columns, reason);
      await tx.run(cancelWaiting, ...columns);
    });
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
      const gone = results.filter(({ verdict }) => verdict.disablesEndpoint);
      await disable(
        gone.map(({ claim }) => ({ tenant_id: claim.tenant_id, id: claim.endpoint_id })),
        'gone',
      );
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
