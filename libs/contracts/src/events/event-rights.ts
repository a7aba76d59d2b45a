import type { Topic } from './topics.ts';

/** What a service does on Kafka: the topics that it writes, and its consumer groups with the topics that each reads. */
interface EventRights {
  writes: readonly Topic[];
  reads: Readonly<Record<string, readonly Topic[]>>;
}

/** Who may write and read which events. Where Kafka has users, each service's has these rights and no others. */
export const EVENT_RIGHTS = {
  gateway: { writes: ['tenants'], reads: {} },
  scheduling: {
    writes: ['appointments'],
    reads: { 'scheduling.tenants': ['tenants'], 'scheduling.customers': ['customers'] },
  },
  crm: {
    writes: ['customers'],
    reads: { 'crm.tenants': ['tenants'], 'crm.appointments': ['appointments'] },
  },
  calls: {
    writes: ['calls'],
    reads: { 'calls.tenants': ['tenants'], 'calls.customers': ['customers'] },
  },
  webhooks: {
    writes: ['endpoints'],
    reads: { webhooks: ['customers', 'appointments', 'calls'], 'webhooks.tenants': ['tenants'] },
  },
} as const satisfies Record<string, EventRights>;

/** A service that writes or reads events. */
export type EventService = keyof typeof EVENT_RIGHTS;
