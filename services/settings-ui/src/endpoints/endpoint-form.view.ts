import {
  CANONICAL_EVENTS,
  EVENT_MEANINGS,
  MAX_LENGTH,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from '@frontdesk/contracts';
import { postForm } from '../ui/controls.view.ts';
import { checkboxGroup, inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type FormState, isSent, type PageContext } from '../ui/page-context.ts';

/** Adds an endpoint. Folded away where there are some already, unless something is wrong with what was sent. */
export function endpointForm(context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html {
  return html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add an endpoint</summary>
${postForm(context, {
  action: '/settings/api/webhooks',
  look: 'stack',
  state: form,
  isOnce: true,
  body: html`${inputField(form, { name: 'url', label: 'URL', placeholder: 'https://example.com/webhooks', maxLength: MAX_LENGTH.url })}
${eventBoxes(form)}
<div class="actions"><button type="submit" class="primary">Add endpoint</button></div>`,
})}</details>`;
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
