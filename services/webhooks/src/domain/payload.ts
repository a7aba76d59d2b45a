import {
  type DomainEvent,
  TEST_EVENT,
  type WebhookEventName,
  type WebhookPayload,
} from '@frontdesk/contracts';

/** Names the event to receivers, in the payload and as `webhook-id`: the same for every attempt and every endpoint. */
export function messageIdOf(eventId: string): string {
  return `evt_${eventId}`;
}

/** The body of a delivery as text. It is stored, and every attempt sends these same bytes. */
export function bodyOf(event: DomainEvent, name: WebhookEventName): string {
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

/** The body of the same event under another name: as `bodyOf` would have made it. */
export function renamed(body: string, name: WebhookEventName): string {
  const payload = JSON.parse(body) as WebhookPayload;
  return JSON.stringify({ ...payload, event: name });
}

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
