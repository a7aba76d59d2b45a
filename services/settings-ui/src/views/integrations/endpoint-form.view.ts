import {
  CANONICAL_EVENTS,
  EVENT_MEANINGS,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from '@frontdesk/contracts';
import { checkboxGroup, inputField } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { type FormState, isSent, type PageContext } from '../shared/page-context.ts';
import { csrfField, formMessage, onceField } from '../shared/parts.ts';

/** Adds an endpoint. Folded away where there are some already, unless something is wrong with what was sent. */
export function endpointForm(context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html {
  return html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add an endpoint</summary>
<form method="post" action="/settings/api/webhooks" data-inline class="stack">${formMessage(form)}${csrfField(context)}${onceField(context)}
${inputField(form, { name: 'url', label: 'URL', placeholder: 'https://example.com/webhooks', maxLength: 2_048 })}
${eventBoxes(form)}
<div class="actions"><button type="submit" class="primary">Add endpoint</button></div></form></details>`;
}

/** The events under their own names, and under such others as the endpoint has subscribed to. */
export function eventBoxes(form: FormState, subscribed: readonly string[] = []): Html {
  const others = subscribed.filter((name) => !Object.hasOwn(EVENT_MEANINGS, name)) as WebhookEventName[];
  return checkboxGroup(form, {
    name: 'events',
    label: 'Send an event when …',
    choices: [...CANONICAL_EVENTS, ...others].map((event) => ({
      value: event,
      label: html`${EVENT_MEANINGS[WEBHOOK_EVENTS[event]]} <code>${event}</code>`,
    })),
  });
}
