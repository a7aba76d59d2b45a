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

/** What an endpoint receives. `event` tells the kind, under the name that the endpoint has subscribed to. */
export type WebhookEvent = { [Name in keyof webhooks]: Body<Name> }[keyof webhooks] | EndpointTestEvent;

export type WebhookEventName = WebhookEvent['event'];

/** The event of this name. */
export type WebhookEventOf<Name extends WebhookEventName> = Extract<WebhookEvent, { event: Name }>;
