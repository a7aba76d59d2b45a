import { within } from '@frontdesk/fair';
import type { App } from '../http/app.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Component } from '../run/component.ts';

/** Longest that one component may take to say whether it is ready. */
const CHECK_TIMEOUT_MS = 2_000;

/** `/health/ready` (503 names what is missing) and `/metrics` (Prometheus text) on the internal port. */
export function healthRoutes(
  app: App,
  options: { components: () => readonly Component[]; metrics: Metrics },
): void {
  const open = { config: { open: true } };
  app.get('/health/ready', open, async (_request, reply) => {
    const answers = await Promise.all(options.components().map(missingOf));
    const missing = answers.filter((name) => name !== null);
    if (missing.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'not_ready', missing: [...new Set(missing)] });
  });

  app.get('/metrics', open, async (_request, reply) =>
    reply.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics()),
  );
}

function missingOf(component: Component): Promise<string | null> {
  const { name } = component;
  const answer = async () => component.ready?.() ?? null;
  return within(CHECK_TIMEOUT_MS, answer(), () => name).catch(() => name);
}
