import {
  CANONICAL_EVENTS,
  EVENT_MEANINGS,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from '@frontdesk/contracts';
import { type Html, html } from './html.ts';
import { type FormState, type PageContext, textsOf } from './page-context.ts';
import { csrfField, errorId, fieldErrors, formMessage, textInput } from './parts.ts';

/** Adds an endpoint. Folded away where there are some already, unless something is wrong with what was sent. */
export function endpointForm(context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html {
  const isSent = Object.keys(form.values).length > 0;
  return html`<details class="adding"${(isOpen || isSent) && html` open`}><summary>Add an endpoint</summary>
<form method="post" action="/settings/api/webhooks" data-inline class="stack">${formMessage(form)}${csrfField(context)}
${textInput(form, { name: 'url', label: 'Address', placeholder: 'https://example.com/webhooks', maxLength: 2_048 })}
${eventBoxes(form)}
<div class="actions"><button type="submit" class="primary">Add endpoint</button></div></form></details>`;
}

/** The events under their own names, and under such others as the endpoint has subscribed to. */
export function eventBoxes(form: FormState, subscribed: readonly string[] = []): Html {
  const chosen = textsOf(form, 'events');
  const others = subscribed.filter((name) => !Object.hasOwn(EVENT_MEANINGS, name)) as WebhookEventName[];
  const isWrong = form.errors.events !== undefined;
  return html`<fieldset${isWrong && html` aria-describedby="${errorId('events')}"`}><legend>Tell it when …</legend>
${[...CANONICAL_EVENTS, ...others].map(
  (
    event,
  ) => html`<label class="check"><input type="checkbox" name="events" value="${event}"${chosen.includes(event) && html` checked`}>
<span>${EVENT_MEANINGS[WEBHOOK_EVENTS[event]]} <code>${event}</code></span></label>`,
)}${fieldErrors(form, 'events')}</fieldset>`;
}
