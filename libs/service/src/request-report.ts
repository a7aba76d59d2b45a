import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import { traceIdOf } from './trace.ts';

/** nginx's status for a client that went away before its answer; there is no official one. */
export const CLIENT_CLOSED_REQUEST = 499;

/** What the metrics call by its name. HTTP knows thirty more, each of which a stranger could make series of. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A request that has its answer, or has gone without one. */
interface Answered {
  log: Logger;
  method: string;
  /** The pattern, never what a client wrote. */
  route: string;
  status: number;
  elapsedMs: number;
  traceparent: string;
  tenantId: number | undefined;
  /** Without a line: probes come every few seconds for ever and say nothing that the metrics don't. */
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
      method,
      route,
      status,
      duration_ms: Math.round(elapsedMs * 100) / 100,
      ...more?.(),
    },
    'request',
  );
}
