import {
  type CanonicalWebhookEvent,
  type DomainEvent,
  TEST_EVENT,
  type WebhookPayload,
} from '@frontdesk/contracts';

/** Names the event to receivers, in the payload and as `webhook-id`: the same for every attempt and every endpoint. */
export function messageIdOf(eventId: string): string {
  return `evt_${eventId}`;
}

/** The body of an event as it is stored. */
export function bodyOf(event: DomainEvent, name: CanonicalWebhookEvent): string {
  const payload: WebhookPayload = {
    id: messageIdOf(event.event_id),
    event: name,
    created_at: event.occurred_at,
    sequence: event.aggregate_version,
    ...('test' in event.data && event.data.test && { test: true }),
    data: event.data,
  };
  return JSON.stringify(payload);
}

/** As `bodyOf` writes it: the order of its fields is part of this. */
const UP_TO_NAME = /^(\{"id":"[^"]*","event":")[^"]*/;

/** The body of an event as a delivery under this name sends it. Nothing else of it changes: every attempt sends the same bytes. */
export const bodyUnder = (name: string, body: string): string =>
  body.replace(UP_TO_NAME, (_, start) => start + name);

/** The body of a test of an endpoint; `sequence` is the endpoint's version. */
export function testBodyOf(test: {
  eventId: string;
  at: string;
  sequence: number;
  endpointId: number;
}): string {
  const payload: WebhookPayload = {
    id: messageIdOf(test.eventId),
    event: TEST_EVENT,
    created_at: test.at,
    sequence: test.sequence,
    test: true,
    data: { endpoint_id: test.endpointId },
  };
  return JSON.stringify(payload);
}
