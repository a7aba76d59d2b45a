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
<p>Copy an example, paste it into a terminal, and it runs: its ids, dates and times are your own. Set a key first. ${
    keyName === null
      ? html`You have none yet: <a href="/settings/api#keys">create one</a>.`
      : html`A key is shown only when it is created. If you no longer have “${keyName}”, <a href="/settings/api#keys">create another one</a>.`
  }</p>
${snippet('the command that sets the key', "export FRONTDESK_KEY='paste a key here'")}
<p>Examples that create, change or cancel something use an example customer and an example appointment: your real records stay as they are. Add the customer first; the command keeps the id in <code>$CUSTOMER_ID</code>:</p>
${snippet('the command that adds the example customer', exampleCommand(CREATE_CUSTOMER, publicUrl, records).text)}
<p>You can run it again: its <code>Idempotency-Key</code> makes sure that the customer is added only once. “Book an appointment” keeps its id in <code>$APPOINTMENT_ID</code>, so stay in the same terminal. Your <a href="/settings/api#webhooks">webhooks</a> get these events too.</p></section>`;

const link = (id: string, name: string): Html => html`<li><a href="#${id}">${name}</a></li>`;

const contents = (): Html =>
  html`<nav class="contents card" aria-label="On this page"><details open><summary>On this page</summary><ul>
${link('start', 'Try it')}${link('requests', 'Requests and answers')}${link('lists', 'Lists')}${link('errors', 'Errors')}${link('headers', 'Headers')}
${RESOURCES.map((resource) => html`<li><a href="#${resource}">${capitalised(resource)}</a><ul>${operationsOf(resource).map(({ id, title }) => link(id, title))}</ul></li>`)}
<li><a href="#records">Records</a><ul>${recordNames.map((name) => link(recordAnchor(name), name))}</ul></li>
<li><a href="#events">Webhook events</a><ul>${CANONICAL_EVENTS.map((event) => link(eventAnchor(event), event))}</ul></li></ul></details></nav>`;
