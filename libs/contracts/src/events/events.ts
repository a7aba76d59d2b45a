import { z } from 'zod';
import { appointmentSchema } from '../resources/appointments.ts';
import { callSchema } from '../resources/calls/calls.ts';
import { customerSchema, mergedCustomer } from '../resources/customers.ts';
import { tenantSchema } from '../resources/tenants.ts';
import { disabledEndpoint } from '../resources/webhooks.ts';
import type { Topic } from './topics.ts';

/** Largest event on the wire, in bytes; a call with its transcript is the big one. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** Event type → the topic it travels on and the schema of its `data`: the full state after the change; of a merge, the two ids. */
export const EVENT_TYPES = {
  'tenant.created': { topic: 'tenants', data: tenantSchema },
  'tenant.updated': { topic: 'tenants', data: tenantSchema },
  'customer.created': { topic: 'customers', data: customerSchema },
  'customer.updated': { topic: 'customers', data: customerSchema },
  'customer.merged': { topic: 'customers', data: mergedCustomer },
  'appointment.created': { topic: 'appointments', data: appointmentSchema },
  'appointment.updated': { topic: 'appointments', data: appointmentSchema },
  'appointment.cancelled': { topic: 'appointments', data: appointmentSchema },
  'call.ended': { topic: 'calls', data: callSchema },
  'call.missed': { topic: 'calls', data: callSchema },
  'call.updated': { topic: 'calls', data: callSchema },
  'endpoint.disabled': { topic: 'endpoints', data: disabledEndpoint },
} as const satisfies Record<string, { topic: Topic; data: z.ZodType }>;

export type EventType = keyof typeof EVENT_TYPES;
export type EventData<Type extends EventType> = z.output<(typeof EVENT_TYPES)[Type]['data']>;

/** The envelope around every event. A type this release doesn't know parses too: consumers skip it. */
export const eventEnvelope = z.object({
  event_id: z.uuid(),
  type: z.string(),
  schema_version: z.int(),
  tenant_id: z.int(),
  aggregate_id: z.int(),
  aggregate_version: z.int(),
  occurred_at: z.iso.datetime({ offset: true }),
  data: z.looseObject({}),
});

export type EventEnvelope = z.infer<typeof eventEnvelope>;

/** An event of a known type. */
export interface DomainEvent<Type extends EventType = EventType>
  extends Omit<EventEnvelope, 'type' | 'data'> {
  type: Type;
  data: EventData<Type>;
  /** W3C trace context of what brought it here, where that is traced. It is no part of the envelope. */
  traceparent?: string;
}

export const SCHEMA_VERSION = 1;
