import { type OperatorChangeOutcome, operatedRoutes, recordedChange } from '@frontdesk/contracts';
import {
  concludeOperatorChange,
  type Database,
  insertOperatorChange,
  listOperatorChanges,
  removeOperatorChanges,
} from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { Wiring } from './wiring.ts';

interface Begun {
  id: number;
  subjectOf: (answer: unknown) => string;
}

/**
 * Writes down what an operator changes in a business, whatever program asks for it: before the change, or it isn't made, and once more
 * what came of it. Where the process dies in between, the entry stays as begun, and the audit log says so.
 */
export function recordOperatorChanges(
  app: App,
  { name: service }: Pick<Wiring, 'name'>,
  database: Database,
): void {
  const begun = new WeakMap<FastifyRequest, Begun>();

  app.addHook('preHandler', async (request) => {
    const { identity, method, tenantId, body } = request;
    if (identity.role !== 'operator' || method === 'GET' || method === 'HEAD' || !tenantId) return;
    const { action, subjectOf } = recordedChange(service, {
      line: `${method} ${request.routeOptions.url}`,
      params: request.params as Record<string, unknown>,
      body,
    });
    // Not in the line of the tenant's requests: whom an operator suspends may have filled it.
    const id = await insertOperatorChange(database.forTenantInBackground(tenantId), {
      actor: identity.actor ?? null,
      action,
      subject: subjectOf(undefined),
      outcome: 'started',
    });
    begun.set(request, { id, subjectOf });
  });

  app.addHook('onSend', async (request, { statusCode }, payload) => {
    const change = begun.get(request);
    const outcome = outcomeOf(statusCode);
    if (!change || outcome === 'started') return payload;
    const subject = change.subjectOf(outcome === 'done' ? dataIn(payload) : undefined);
    await concludeOperatorChange(database.forTenantInBackground(request.tenantId), {
      id: change.id,
      outcome,
      subject,
    }).catch((error: unknown) =>
      request.log.error({ err: error }, 'what came of an operator’s change is not recorded'),
    );
    return payload;
  });
}

/** After a failure of the service nobody knows. */
function outcomeOf(status: number): OperatorChangeOutcome {
  if (status >= 500) return 'started';
  return status >= 400 ? 'refused' : 'done';
}

function dataIn(payload: unknown): unknown {
  try {
    return (JSON.parse(String(payload)) as { data?: unknown }).data;
  } catch {
    return undefined;
  }
}

/** By which settings-ui collects them into the audit logs: what it says it has stored is removed here. */
export function operatorChangeRoutes(app: App, { database }: { database: Database }): void {
  route(
    app,
    operatedRoutes.listOperatorChanges,
    async ({ query }) => ok(await listOperatorChanges(database.system, query.after)),
    { isPolled: true },
  );

  route(
    app,
    operatedRoutes.removeOperatorChanges,
    async ({ body }) => ok({ removed: await removeOperatorChanges(database.system, body.ids) }),
    { isPolled: true },
  );
}
