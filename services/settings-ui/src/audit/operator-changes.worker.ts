import { gatewayRoutes, type OperatorChange, operatedRoutes, operatorChange } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import {
  AppError,
  type Component,
  type Logger,
  loop,
  type Metrics,
  requestOf,
  type ServiceClient,
} from '@frontdesk/service';
import { Counter } from 'prom-client';
import { z } from 'zod';
import type { InternalApis } from '../clients/internal-apis.client.ts';
import { emailMembers } from '../mail/email-members.ts';
import { operatorNamed } from './audit.rules.ts';
import { insertCollected } from './audit-entry.repository.ts';

const INTERVAL_MS = 2_000;
/** As much of a change as collecting goes by, whatever the rest of it is. */
const numbered = z.looseObject({ id: z.int().positive() });
const foundTenant = z.object({ created_at: z.iso.datetime() });
/** By so much the clock of a service's database may be behind that of the gateway's. */
const CLOCK_TOLERANCE_MS = 3_600_000;
/** So long a change waits for the gateway to know its business: clocks are set, and databases restored, within a day. */
const DOUBTFUL_FOR_MS = 86_400_000;

/**
 * Copies operators' changes from the other services into the audit logs. A service keeps a change until settings-ui
 * confirms that it is stored; a change that comes twice is stored once. One worker asks each service, so a service
 * that is away delays no other. Without the gateway, which knows the businesses, nothing is stored. A change that
 * can't be read or stored stays at its service and is tried again. So does, for a day, a change of a business that
 * the gateway does not know, unless it was refused.
 */
export function createOperatorChangesWorkers(options: {
  database: Database;
  services: InternalApis;
  logger: Logger;
  metrics: Metrics;
}): Component[] {
  const { database, services, logger, metrics } = options;
  const refusals = new Counter({
    name: 'operator_changes_refused_total',
    help: 'Changes by operators that the audit log could not take in, each once.',
    labelNames: ['service'],
    registers: [metrics.registry],
  });

  const collect = (service: string, client: ServiceClient) => {
    /**
     * Changes that were already logged as refused, so that each is logged once. A run that ends early removes
     * none of them.
     */
    let refused = new Set<number>();

    /** Afterwards it may be removed where it comes from. @throws where it can't be read or stored */
    const take = async (row: unknown, isTenant: (change: OperatorChange) => Promise<boolean>) => {
      const change = operatorChange.parse(row);
      if (await isTenant(change)) {
        await database.forTenantInBackground(change.tenant_id).transaction(async (tx) => {
          if ((await insertCollected(tx, service, change)) === 1) await emailAboutChange(tx, change);
        });
        return;
      }
      if (change.outcome !== 'refused' && Date.parse(change.at) > Date.now() - DOUBTFUL_FOR_MS)
        throw new Error('the gateway does not know its business');
      // Without the subject, which may be somebody's address.
      const { id, tenant_id, action } = change;
      logger.warn(
        { service, id, tenant_id, action },
        'an operator tried to change a business that there is not',
      );
    };

    return async (signal: AbortSignal) => {
      const isTenant = tenantCheck(services.gateway);
      const refusedNow = new Set<number>();
      for (let after = 0; !signal.aborted; ) {
        const asked = requestOf(operatedRoutes.listOperatorChanges, { role: 'service', query: { after } });
        const page = await client.request({ ...asked, schema: numbered.array() });
        const taken: number[] = [];
        for (const row of page) {
          after = Math.max(after, row.id);
          try {
            await take(row, isTenant);
            taken.push(row.id);
          } catch (error) {
            // Of the system, not of the row.
            if (error instanceof AppError && error.status >= 500) throw error;
            refusedNow.add(row.id);
            if (refused.has(row.id)) continue;
            refused.add(row.id);
            refusals.inc({ service });
            logger.error(
              { err: error, service, id: row.id },
              'an operator’s change can’t be taken into the audit log',
            );
          }
        }
        const stored = { role: 'service', body: { ids: taken } } as const;
        if (taken.length > 0) await client.request(requestOf(operatedRoutes.removeOperatorChanges, stored));
        if (page.length === 0) break;
      }
      refused = refusedNow;
    };
  };

  return Object.entries(services).map(([service, client]: [string, ServiceClient]) => {
    refusals.inc({ service }, 0);
    return loop({
      name: `operator changes of ${service}`,
      intervalMs: INTERVAL_MS,
      logger,
      run: collect(service, client),
    });
  });
}

/** Emails the members of a business about a change at another service that concerns their security. */
async function emailAboutChange(db: TenantReads, { action, actor, subject, outcome }: OperatorChange) {
  if (outcome !== 'done') return;
  if (action === 'key_created' || action === 'key_rolled')
    await emailMembers(db, { kind: 'new_key', details: { name: subject, by: operatorNamed(actor).name } });
  if (action === 'key_leaked')
    await emailMembers(db, {
      kind: 'key_leaked',
      details: { name: subject, by: operatorNamed(actor).name },
    });
  if (action === 'endpoint_disabled')
    await emailMembers(db, { kind: 'endpoint_disabled', details: { url: subject } });
}

/**
 * Whether a change is of a business that there was: who gets that number later has nothing to do with it. The gateway
 * says so, once for each business in a turn.
 */
function tenantCheck(gateway: ServiceClient): (change: OperatorChange) => Promise<boolean> {
  const known = new Map<number, Promise<number | null>>();
  const createdAt = async (tenantId: number) => {
    try {
      const asked = requestOf(gatewayRoutes.getTenant, { role: 'service', tenantId });
      const found = await gateway.request({ ...asked, schema: foundTenant });
      return Date.parse(found.created_at);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  };
  return async ({ tenant_id: tenantId, at }) => {
    const created = await known.getOrInsertComputed(tenantId, () => createdAt(tenantId));
    return created !== null && Date.parse(at) >= created - CLOCK_TOLERANCE_MS;
  };
}
