import { type EngineStatus, type failingEndpoint, gatewayRoutes, webhooksRoutes } from '@frontdesk/contracts';
import { requestOf } from '@frontdesk/service';
import type { z } from 'zod';
import { requestTo, withService } from '../clients.ts';
import type { Service } from '../running-system.ts';
import { type Backlog, backlogsOf } from './backlogs.ts';
import { type NearQuota, readNearQuotas } from './near-quotas.ts';
import { type ProcessReading, readProcesses } from './process-reading.ts';

const SERVICES: readonly Service[] = ['gateway', 'scheduling', 'crm', 'calls', 'webhooks', 'settings-ui'];
const SHOWN = 20;
/** A service that takes longer can't be asked: the rest is shown without it. */
const ANSWERS_WITHIN_MS = 8_000;

export interface ProcessStatus {
  service: Service;
  address: string;
  state: 'ready' | 'not ready' | 'away';
  missing: string[];
  /** Connections that it has not, for example `kafka (group webhooks)`. */
  not_connected: string[];
  version: string | null;
  up_seconds: number | null;
  memory_bytes: number | null;
  needs_you: boolean;
}

export interface SystemStatus {
  checked_at: string;
  /** Whether anything below needs somebody. */
  needs_you: boolean;
  processes: ProcessStatus[];
  /** Why something can't be asked, a line for each cause. */
  faults: string[];
  /** Null where the gateway, which knows them, can't be asked. */
  engines: EngineStatus[] | null;
  backlogs: Backlog[];
  /** The worst of them; null where webhooks can't be asked. */
  failing_endpoints: { total: number; shown: z.output<typeof failingEndpoint>[] } | null;
  /** Tenants that use nine tenths of a quota or more, the fullest first; `unknown` are services that can't be asked. */
  near_quotas: { total: number; shown: NearQuota[]; unknown: Service[] };
}

/** Everything that an operator looks at first. What can't be asked is part of the answer, never its end. */
export async function readStatus(now = new Date()): Promise<SystemStatus> {
  const faults = new Set<string>();
  const noteFault = (error: unknown) => {
    faults.add(error instanceof Error ? error.message : String(error));
    return null;
  };
  const [readings, engines, failing, quotas] = await Promise.all([
    Promise.all(SERVICES.map(readProcesses)).then((all) => all.flat()),
    requestTo('gateway', ANSWERS_WITHIN_MS)(gatewayRoutes.listEngines, {}).catch(noteFault),
    withService(
      'webhooks',
      (client) =>
        client.requestPage(requestOf(webhooksRoutes.listFailingEndpoints, { query: { per_page: SHOWN } })),
      ANSWERS_WITHIN_MS,
    ).catch(noteFault),
    readNearQuotas(ANSWERS_WITHIN_MS, noteFault),
  ]);
  const processes = readings.map((reading) => processStatus(reading, now));
  const backlogs = backlogsOf(readings);
  return {
    checked_at: now.toISOString(),
    // A tenant's own endpoints and quotas are the tenant's business: they are shown, and wake nobody.
    needs_you:
      processes.some(({ needs_you }) => needs_you) ||
      !engines?.every(({ is_reached }) => is_reached) ||
      failing === null ||
      quotas.unknown.length > 0 ||
      backlogs.some(({ needs_you }) => needs_you),
    faults: [...faults],
    processes,
    engines,
    backlogs,
    failing_endpoints: failing && { total: failing.total, shown: failing.rows },
    near_quotas: {
      total: quotas.tenants.length,
      shown: quotas.tenants.slice(0, SHOWN),
      unknown: quotas.unknown,
    },
  };
}

function processStatus({ service, address, missing, samples }: ProcessReading, now: Date): ProcessStatus {
  const sample = (metric: string) => samples.find(({ name }) => name === metric);
  const started = sample('process_start_time_seconds')?.value;
  const state = missing === null ? 'away' : missing.length > 0 ? 'not ready' : 'ready';
  const lost = samples.filter(({ name, value }) => name === 'engine_connected' && value === 0);
  return {
    service,
    address,
    state,
    missing: missing ?? [],
    not_connected: lost.map(({ labels }) => `${labels.engine} (${labels.connection})`),
    version: sample('build_info')?.labels.version ?? null,
    up_seconds: started === undefined ? null : Math.max(0, Math.round(now.getTime() / 1_000 - started)),
    memory_bytes: sample('process_resident_memory_bytes')?.value ?? null,
    needs_you: state !== 'ready' || lost.length > 0,
  };
}
