import { eventNamed, type Payload } from './event-names.ts';

/** An example under a new id, marked as a test. Calls have the mark in their record, too, as test calls of the settings do. */
export function testPayloadOf(name: string, { id, at }: { id: string; at: Date }): Payload {
  const { example } = eventNamed(name);
  const { sequence, data } = example;
  const isCall = example.event.startsWith('call.');
  return {
    id,
    event: name,
    created_at: at.toISOString(),
    sequence,
    test: true,
    data: isCall ? { ...data, test: true } : data,
  };
}
