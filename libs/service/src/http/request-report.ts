import type { Identity } from '../identity/identity.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Logger } from '../run/logging.ts';
import { traceIdOf } from '../tracing/trace.ts';

/** nginx's status for a client that went away before its answer; there is no official one. */
export const CLIENT_CLOSED_REQUEST = 499;

/** The methods that metrics name. HTTP has thirty more, and strangers could make time series of each. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request that has its answer, or whose client has gone before. */
interface Answered {
  log: Logger;
  method: string;
  /** The pattern, never what a client wrote. */
  route: string;
  status: number;
  elapsedMs: number;
  traceparent: string;
  tenantId: number | undefined;
  /** Who called, on ports where callers have one. */
  identity: Pick<Identity, 'issuer' | 'role'> | undefined;
  /** Without a log line: probes come every few seconds, and the metrics count them. */
  isProbe?: boolean | undefined;
  /** What a service adds to the line. */
  more?: (() => object) | undefined;
}

/** One measurement and one log line for each request. */
export function reportRequest(
  { requestDuration }: Pick<Metrics, 'requestDuration'>,
  answered: Answered,
): void {
  const { log, method, route, status, elapsedMs, isProbe = false, more } = answered;
  const counted = METHODS.has(method) ? method : 'other';
  requestDuration.observe({ method: counted, route, status: String(status) }, elapsedMs / 1_000);
  if (isProbe || !log.isLevelEnabled('info')) return;
  log.info(
    {
      trace_id: traceIdOf(answered.traceparent),
      tenant_id: answered.tenantId,
      issuer: answered.identity?.issuer,
      role: answered.identity?.role,
      method,
      route,
      status,
      duration_ms: Math.round(elapsedMs * 100) / 100,
      ...more?.(),
    },
    'request',
  );
}
