import { CANONICAL_EVENTS, RESOURCES } from '@frontdesk/contracts';
import { type ExampleValues, withValues } from '../../../domain/example-command.ts';
import { capitalised } from '../../../domain/words.ts';
import { type Html, html } from '../../shared/html.ts';
import { layout } from '../../shared/layout.ts';
import type { PageContext } from '../../shared/page-context.ts';
import { eventAnchor, eventsCard } from './events.view.ts';
import { guideCards } from './guide.view.ts';
import { operationCards, operationsOf } from './operations.view.ts';
import { recordAnchor, snippet } from './parts.ts';
import { recordNames, recordsCard } from './records.view.ts';

export interface DocsValues {
  values: ExampleValues;
  /** Of a key that can be used; null where there is none, or nobody can tell. */
  keyName: string | null;
  /** Which of the values stand for what the tenant has not got. */
  hasOwnRecords: boolean;
}

/** The documentation. All but a tenant's own values is the same for everybody, and made once. */
export function createDocsPage(publicUrl: string): (context: PageContext, values: DocsValues) => string {
  const nav = contents();
  const cards = html`${guideCards(publicUrl)}${operationCards(publicUrl)}${recordsCard()}${eventsCard()}`;
  return (context, { values, keyName, hasOwnRecords }) =>
    withValues(
      layout(context, {
        title: 'API documentation',
        at: '/settings/api',
        lead: html`<a href="/settings/api">Back to API and webhooks</a>`,
        body: html`<div class="docs">${nav}<div class="stack docs-text">${startCard(keyName, hasOwnRecords)}${cards}</div></div>`,
      }),
      values,
    );
}

const startCard = (keyName: string | null, hasOwnRecords: boolean): Html =>
  html`<section class="card" aria-labelledby="start"><h2 id="start">Try it</h2>
<p>The examples below run in a terminal. Give it ${keyName === null ? html`a key first; you can <a href="/settings/api#keys">create one</a>` : html`your key “${keyName}” first, or another one: it is shown only when it is created`}.</p>
${snippet('the command that names your key', `export FRONTDESK_KEY='${(keyName ?? 'your key').replaceAll("'", '’')}'`)}
<p>${hasOwnRecords ? 'They use a service and a member of staff of yours.' : 'Replace the ids in capitals with your own.'}</p></section>`;

const link = (id: string, name: string): Html => html`<li><a href="#${id}">${name}</a></li>`;

const contents = (): Html =>
  html`<nav class="contents card" aria-label="On this page"><details open><summary>On this page</summary><ul>
${link('start', 'Try it')}${link('requests', 'Requests and answers')}${link('lists', 'Lists')}${link('errors', 'Errors')}${link('headers', 'Headers')}
${RESOURCES.map((resource) => html`<li><a href="#${resource}">${capitalised(resource)}</a><ul>${operationsOf(resource).map(({ id, title }) => link(id, title))}</ul></li>`)}
<li><a href="#records">Records</a><ul>${recordNames.map((name) => link(recordAnchor(name), name))}</ul></li>
<li><a href="#events">Webhook events</a><ul>${CANONICAL_EVENTS.map((event) => link(eventAnchor(event), event))}</ul></li></ul></details></nav>`;
