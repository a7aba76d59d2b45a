import type { operations, webhooks } from '../generated/openapi.ts';

type Body<Name extends keyof webhooks> = operations[Name]['requestBody']['content']['application/json'];

/** Sent on request, to try an endpoint. */
export interface EndpointTestEvent {
  id: string;
  event: 'endpoint.test';
  created_at: string;
  sequence: number;
  test: true;
  data: { endpoint_id: number };
}

/** The body that an endpoint receives. `event` is the name to which the endpoint has subscribed. */
export type WebhookEvent = { [Name in keyof webhooks]: Body<Name> }[keyof webhooks] | EndpointTestEvent;

export type WebhookEventName = WebhookEvent['event'];

/** The event of this name. */
export type WebhookEventOf<Name extends WebhookEventName> = Extract<WebhookEvent, { event: Name }>;
