import {
  CANONICAL_EVENTS,
  ENDPOINT_SCOPES,
  type EndpointScope,
  EVENT_MEANINGS,
  MAX_LENGTH,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from '@frontdesk/contracts';
import { scopeText } from '../records/scope-words.view.ts';
import { postForm } from '../ui/controls.view.ts';
import { checkboxGroup, inputField, textArea } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { MAX_HEADERS_TEXT } from './endpoint-form.rules.ts';

/** Adds an endpoint. Folded away where there are some already, unless something is wrong with what was sent. */
export function endpointForm(context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html {
  const offered = ENDPOINT_SCOPES.filter((scope) => context.scopes.includes(scope));
  const shown = isSent(form) ? form : { ...form, values: { scopes: offered } };
  return html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add an endpoint</summary>
${postForm(context, {
  action: '/settings/api/webhooks',
  id: 'add-endpoint',
  look: 'stack',
  state: form,
  isOnce: true,
  body: html`${IS_FORM}${inputField(shown, { name: 'url', label: 'URL', placeholder: 'https://example.com/webhooks', maxLength: MAX_LENGTH.url })}
${eventBoxes(shown)}${scopeBoxes(shown, offered)}${headersField(shown)}
<div class="actions"><button type="submit" class="primary">Add endpoint</button></div>`,
})}</details>`;
}

/** With it, boxes that aren't ticked are taken as such. */
export const IS_FORM = html`<input type="hidden" name="is_form" value="true">`;

const scopeBoxes = (form: FormState, offered: readonly EndpointScope[]): Html =>
  checkboxGroup(form, {
    name: 'scopes',
    id: 'endpoint-scopes',
    label: 'Data in its events',
    hint: 'You can’t change this later. For other data, add another endpoint.',
    choices: offered.map((value) => ({
      value,
      label: scopeText(value),
      hint:
        value === 'calls:transcripts' &&
        'Without this, events about calls have no transcript, summary or recording.',
    })),
  });

/** One on each line. What was sent and refused is shown again, but never what is stored. */
export const headersField = (form: FormState): Html =>
  textArea(form, {
    name: 'headers',
    label: 'Custom headers',
    hint: html`Sent with each delivery, for example to a proxy before your receiver. One on each line, such as <code>Authorization: Bearer 8f2c</code>. Values are never shown again.`,
    isOptional: true,
    isSecret: true,
    maxLength: MAX_HEADERS_TEXT,
  });

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
