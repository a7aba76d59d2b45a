import { EVENT_RIGHTS, eventRoutes, type Role } from '@frontdesk/contracts';
import { createOutboxRelay, type Database, listStoredBytes, watchOperatorChanges } from '@frontdesk/database';
import { createPublisher, type EventConsumer } from '@frontdesk/events';
import {
  type App,
  answerErrorWithReasons,
  type Component,
  createApp,
  guardInternalPort,
  healthRoutes,
  httpComponent,
  ok,
  requireIdentity,
  route,
} from '@frontdesk/service';
import { eventGapRoutes } from './event-gaps.routes.ts';
import { operatorChangeRoutes, recordOperatorChanges } from './operator-changes.ts';
import { stuckEventRoutes } from './stuck-events.routes.ts';
import type { Wiring } from './wiring.ts';

/** Routes of the internal port that callers of these roles may use. */
interface GuardedRoutes {
  roles: readonly Role[];
  register(app: App): void;
}

/**
 * Puts a service together. Its components start in the order of this list and stop in reverse: the database, `connections`, the outbox's
 * way to Kafka, `running`, the ports. Beside its own routes, the internal port has health, metrics, and the operators' routes for events
 * that are stuck or missing, and what tenants store.
 */
export function assemble(
  wiring: Wiring,
  service: {
    /** The public port's routes. */
    api?: { app: App; port: number };
    internal: readonly GuardedRoutes[];
    connections?: readonly Component[];
    consumers?: readonly EventConsumer[];
    /** Workers and consumers, in the order of their start. */
    running: readonly Component[];
    /** Where the operators' routes look; the service's own unless requests have one to themselves. */
    requestDatabase?: Database;
  },
): { components: Component[]; internal: App } {
  const { config, database, verifier, kafka, logger, metrics } = wiring;
  const { api, consumers = [], requestDatabase = database } = service;
  const publisher = createPublisher({ kafka, topics: EVENT_RIGHTS[wiring.name].writes, logger, metrics });
  const internal = createApp({ logger, metrics, answerError: answerErrorWithReasons });
  guardInternalPort(internal, verifier);
  const host = config.HOST;
  const components: Component[] = [
    database,
    ...(service.connections ?? []),
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics, lingerMs: kafka.lingerMs }),
    ...service.running,
    httpComponent({ name: 'internal', app: internal, host, port: config.INTERNAL_PORT }),
    ...(api ? [httpComponent({ name: 'api', host, ...api })] : []),
  ];

  watchOperatorChanges(database.system, metrics);
  healthRoutes(internal, { components: () => components, metrics });
  const operators: GuardedRoutes = {
    roles: ['operator'],
    register(app) {
      stuckEventRoutes(app, { database: requestDatabase, consumers });
      if (consumers.length > 0) eventGapRoutes(app, { database: requestDatabase });
    },
  };
  const services: GuardedRoutes = {
    roles: ['service'],
    register(app) {
      // The gateway takes no events in, and asks itself nothing.
      if (consumers.length > 0) storedBytesRoute(app, requestDatabase);
      operatorChangeRoutes(app, { database: requestDatabase });
    },
  };
  for (const { roles, register } of [...service.internal, operators, services]) {
    void internal.register(async (app: App) => {
      requireIdentity(app, { verifier, roles });
      if (roles.includes('operator')) recordOperatorChanges(app, wiring, requestDatabase);
      register(app);
    });
  }
  return { components, internal };
}

/** How much the large tenants have in this service's database, for the gateway, which adds up what all services say. */
function storedBytesRoute(app: App, { system }: Database): void {
  route(app, eventRoutes.listStoredBytes, async ({ query }) =>
    ok(await listStoredBytes(system, query.after_tenant)),
  );
}
