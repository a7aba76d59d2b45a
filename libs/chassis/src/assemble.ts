import { EVENT_RIGHTS, type Role } from '@frontdesk/contracts';
import { createOutboxRelay, type Database } from '@frontdesk/database';
import { createPublisher, type EventConsumer } from '@frontdesk/events';
import {
  type App,
  type Component,
  createApp,
  healthRoutes,
  httpComponent,
  requireIdentity,
} from '@frontdesk/service';
import type { Chassis } from './chassis.ts';
import { eventGapRoutes } from './event-gaps.routes.ts';
import { stuckEventRoutes } from './stuck-events.routes.ts';

/** Routes of the internal port that callers of these roles may use. */
interface GuardedRoutes {
  roles: readonly Role[];
  register(app: App): void;
}

/**
 * Puts a service together. Its components start in the order of this list and stop in reverse: the database, `connections`, the outbox's
 * way to Kafka, `running`, the ports. Beside its own routes, the internal port has health, metrics, and the operators' routes for events
 * that are stuck or missing.
 */
export function assemble(
  chassis: Chassis,
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
  const { config, database, verifier, kafka, logger, metrics } = chassis;
  const { api, consumers = [], requestDatabase = database } = service;
  const publisher = createPublisher({ kafka, topics: EVENT_RIGHTS[chassis.name].writes, logger, metrics });
  const internal = createApp({ logger, metrics });
  const host = config.HOST;
  const components: Component[] = [
    database,
    ...(service.connections ?? []),
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    ...service.running,
    httpComponent({ name: 'internal', app: internal, host, port: config.INTERNAL_PORT }),
    ...(api ? [httpComponent({ name: 'api', host, ...api })] : []),
  ];

  healthRoutes(internal, { components: () => components, metrics });
  const operators: GuardedRoutes = {
    roles: ['operator'],
    register(app) {
      stuckEventRoutes(app, { database: requestDatabase, consumers });
      if (consumers.length > 0) eventGapRoutes(app, { database: requestDatabase });
    },
  };
  for (const { roles, register } of [...service.internal, operators]) {
    void internal.register(async (app: App) => {
      requireIdentity(app, { verifier, roles });
      register(app);
    });
  }
  return { components, internal };
}
