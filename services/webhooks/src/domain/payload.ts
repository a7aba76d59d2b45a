import type { DomainEvent, WebhookEventName, WebhookPayload } from '@frontdesk/contracts';

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
    data: event.data,
  };
  return JSON.stringify(payload);
}
