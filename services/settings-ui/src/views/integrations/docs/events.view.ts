import {
  aliasesOf,
  answerSchema,
  CANONICAL_EVENTS,
  type CanonicalWebhookEvent,
  EVENT_MEANINGS,
  exampleOf,
  SIGNATURE_HEADERS,
  webhookBody,
} from '@frontdesk/contracts';
import { describedFields } from '../../../domain/described-fields.ts';
import { type Html, html } from '../../shared/html.ts';
import { fieldTable, snippet } from './parts.ts';

export const eventAnchor = (event: string) => `event-${event.replace('.', '-')}`;

/** Every event that an endpoint can subscribe to. */
export const eventsCard = (): Html =>
  html`<section class="card" aria-labelledby="events"><h2 id="events">Webhook events</h2>
<p>Each is a POST to your <a href="/settings/api#webhooks">endpoint</a>. Any 2xx within 10 seconds means delivered; anything else is tried again after 30 seconds and after 5 minutes.</p>
<p><code>${SIGNATURE_HEADERS.service}</code> is <code>sha256=</code> and the HMAC-SHA256 of the raw body in hex, keyed with the whole signing secret. <code>${SIGNATURE_HEADERS.id}</code>, <code>${SIGNATURE_HEADERS.timestamp}</code> and <code>${SIGNATURE_HEADERS.signature}</code> are those of Standard Webhooks. Verify either one.</p>
<p>Events arrive at least once and in any order: remember the ids that you have handled, and keep the highest <code>sequence</code> of each record.</p>
${CANONICAL_EVENTS.map(article)}</section>`;

function article(event: CanonicalWebhookEvent): Html {
  const id = eventAnchor(event);
  const aliases = aliasesOf(event);
  return html`<article class="operation" aria-labelledby="${id}"><h3 id="${id}"><a href="#${id}"><code>${event}</code></a></h3>
<p>Sent when ${EVENT_MEANINGS[event]}.${aliases.length > 0 && html` Also available as ${aliases.map((alias) => html`<code>${alias}</code>`)}.`}</p>
${fieldTable(`Fields of ${event}`, describedFields(answerSchema(webhookBody(event))), { showsRequired: false })}
<details><summary>Example<span class="for-reader"> of ${event}</span></summary>${snippet(`the example of ${event}`, JSON.stringify(exampleOf(event), null, 2))}</details></article>`;
}
