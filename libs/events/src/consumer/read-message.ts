import { type DomainEvent, EVENT_TYPES, type EventType, eventEnvelope } from '@frontdesk/contracts';
import type { KafkaMessage } from 'kafkajs';
import type { z } from 'zod';

export type Reading = { event: DomainEvent } | { unreadable: string } | 'skipped';

/**
 * Reads one message. A type that this release doesn't know, and a compacted topic's tombstone, are skipped. Fields of
 * `data` that the schema doesn't name are kept: nobody who passes an event on may cut what a newer release added.
 */
export function readMessage(value: Buffer | null): Reading {
  if (value === null) return 'skipped';
  const envelope = eventEnvelope.safeParse(parseJson(value));
  if (!envelope.success) return { unreadable: faults('envelope', envelope.error) };
  const { type, data } = envelope.data;
  if (!isKnown(type)) return 'skipped';
  const checked = EVENT_TYPES[type].data.safeParse(data);
  if (!checked.success) return { unreadable: faults(`data of ${type}`, checked.error) };
  return { event: { ...envelope.data, type, data } as DomainEvent };
}

/** When a message's event occurred, or, where that can't be read, when the message was sent. */
export function occurredAt({ value, timestamp }: Pick<KafkaMessage, 'value' | 'timestamp'>): Date {
  const reading = readMessage(value);
  return instantOf(typeof reading === 'object' && 'event' in reading ? reading.event.occurred_at : timestamp);
}

/** Of text or of milliseconds since the epoch. Senders may say anything: it is brought between 1970 and now. */
export function instantOf(text: string): Date {
  const milliseconds = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  return new Date(Math.max(0, Math.min(milliseconds || 0, Date.now())));
}

const isKnown = (type: string): type is EventType => Object.hasOwn(EVENT_TYPES, type);

/** Undefined, which is no envelope, for what isn't JSON. The engine's own message would quote the content. */
function parseJson(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Which fields are wrong and how, never what they hold. */
function faults(part: string, error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${[part, ...path].join('.')}: ${message}`).join('; ');
}
