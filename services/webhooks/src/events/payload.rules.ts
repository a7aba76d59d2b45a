import {
  type Call,
  type CanonicalWebhookEvent,
  type DomainEvent,
  scopeOfEvent,
  TEST_EVENT,
  type WebhookPayload,
  withoutTranscript,
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

/** The body of an event under this name. Nothing else of it changes. */
const bodyUnder = (name: string, body: string): string =>
  body.replace(UP_TO_NAME, (_, start) => start + name);

/** What a delivery is sent as. */
export interface SentAs {
  /** The name that its endpoint subscribed to. */
  name: string;
  /** Whether its endpoint may know what was said in calls. */
  shows_transcripts: boolean;
}

/** The body of an event as a delivery sends it: a function of what is stored, so that every attempt sends the same bytes. */
export function bodyAs({ name, shows_transcripts }: SentAs, stored: string): string {
  const body = bodyUnder(name, stored);
  if (shows_transcripts || !isOfCall(name)) return body;
  return JSON.stringify(withoutTranscripts(JSON.parse(body) as { event: string; data: object }));
}

/** Whether it may hold what was said in a call. */
export const isOfCall = (event: string) => scopeOfEvent(event) === 'calls:read';

/** The event without what was said, where it is one of a call. */
export const withoutTranscripts = <Payload extends { event: string; data: object }>(
  payload: Payload,
): Payload =>
  isOfCall(payload.event) ? { ...payload, data: withoutTranscript(payload.data as Call) } : payload;

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
