import { CANONICAL_EVENTS, OPERATIONS, type Operation, RESOURCES } from '@frontdesk/contracts';
import { exampleCommand } from '../../../domain/example-command.ts';
import { capitalised } from '../../../domain/words.ts';
import type { LoadedExamples } from '../../../use-cases/load-examples.ts';
import { type Html, html } from '../../shared/html.ts';
import { layout } from '../../shared/layout.ts';
import type { PageContext } from '../../shared/page-context.ts';
import { eventAnchor, eventsCard } from './events.view.ts';
import { guideCards } from './guide.view.ts';
import { createOperationCards, operationsOf } from './operations.view.ts';
import { recordAnchor, snippet } from './parts.ts';
import { recordNames, recordsCard } from './records.view.ts';

/** The documentation. All but a tenant's own examples is the same for everybody, and made once. */
export function createDocsPage(
  publicUrl: string,
): (context: PageContext, examples: LoadedExamples) => string {
  const operationCards = createOperationCards(publicUrl);
  const [nav, guide, rest] = [contents(), guideCards(publicUrl), html`${recordsCard()}${eventsCard()}`];
  return (context, { records, keyName }) =>
    layout(context, {
      title: 'API documentation',
      at: '/settings/api',
      lead: html`<a href="/settings/api">Back to API and webhooks</a>`,
      body: html`<div class="docs">${nav}<div class="stack docs-text">${startCard(publicUrl, { records, keyName })}${guide}${operationCards(records)}${rest}</div></div>`,
    });
}

const CREATE_CUSTOMER = OPERATIONS.find(({ id }) => id === 'create-customer') as Operation;

const startCard = (publicUrl: string, { records, keyName }: LoadedExamples): Html =>
  html`<section class="card" aria-labelledby="start"><h2 id="start">Try it</h2>
<p>Copy the examples into a terminal: they run as they are and name records of yours. First put in a key. ${
    keyName === null
      ? html`You have none yet: <a href="/settings/api#keys">create one</a>.`
      : html`A key is shown only when it is created: if you no longer have that of “${keyName}”, <a href="/settings/api#keys">create another</a>.`
  }</p>
${snippet('the command that sets the key', "export FRONTDESK_KEY='paste a key here'")}
<p>Examples that change something work on a customer and an appointment made for them, never on your own. This adds the customer and keeps the id:</p>
${snippet('the command that adds the example customer', exampleCommand(CREATE_CUSTOMER, publicUrl, records).text)}
<p>Run it as often as you like: with the same <code>Idempotency-Key</code> the customer is added once. Booking, changing and cancelling go on with <code>$CUSTOMER_ID</code> and <code>$APPOINTMENT_ID</code> in the same terminal. Your <a href="/settings/api#webhooks">webhooks</a> are told of it all.</p></section>`;

const link = (id: string, name: string): Html => html`<li><a href="#${id}">${name}</a></li>`;

const contents = (): Html =>
  html`<nav class="contents card" aria-label="On this page"><details open><summary>On this page</summary><ul>
${link('start', 'Try it')}${link('requests', 'Requests and answers')}${link('lists', 'Lists')}${link('errors', 'Errors')}${link('headers', 'Headers')}
${RESOURCES.map((resource) => html`<li><a href="#${resource}">${capitalised(resource)}</a><ul>${operationsOf(resource).map(({ id, title }) => link(id, title))}</ul></li>`)}
<li><a href="#records">Records</a><ul>${recordNames.map((name) => link(recordAnchor(name), name))}</ul></li>
<li><a href="#events">Webhook events</a><ul>${CANONICAL_EVENTS.map((event) => link(eventAnchor(event), event))}</ul></li></ul></details></nav>`;
