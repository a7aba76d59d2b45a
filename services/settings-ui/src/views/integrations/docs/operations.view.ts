import {
  answerSchema,
  bodySchema,
  ERROR_STATUS,
  errorsOf,
  OPERATIONS,
  type Operation,
  querySchema,
  REQUEST_HEADERS,
  RESOURCES,
  type Resource,
} from '@frontdesk/contracts';
import { answeredRecord, describedFields } from '../../../domain/described-fields.ts';
import { type ExampleRecords, exampleCommand } from '../../../domain/example-command.ts';
import { capitalised } from '../../../domain/words.ts';
import { type Html, html } from '../../shared/html.ts';
import { exampleOfOperation } from './example.view.ts';
import { fieldTable, recordAnchor } from './parts.ts';

export const operationsOf = (resource: Resource) => OPERATIONS.filter((one) => one.resource === resource);

/** Every operation, a card for each kind of record. All but the examples is the same for everybody, and made once. */
export function createOperationCards(publicUrl: string): (own: ExampleRecords) => Html {
  const cards = RESOURCES.map((resource) => ({ resource, articles: operationsOf(resource).map(article) }));
  return (own) =>
    html`${cards.map(
      ({ resource, articles }) =>
        html`<section class="card" aria-labelledby="${resource}"><h2 id="${resource}">${capitalised(resource)}</h2>
${articles.map(({ operation, before, after }) => html`${before}${exampleOfOperation(operation, exampleCommand(operation, publicUrl, own), own)}${after}`)}</section>`,
    )}`;
}

interface Article {
  operation: Operation;
  /** What stands around its example. */
  before: Html;
  after: Html;
}

function article(operation: Operation): Article {
  const { id, method, path, title, description, query, body } = operation;
  const headers = REQUEST_HEADERS.filter(({ name, isOf }) => name !== 'X-Request-Id' && isOf(operation));
  const required = { showsRequired: true };
  const before = html`<article class="operation" aria-labelledby="${id}"><h3 id="${id}"><a href="#${id}">${title}</a></h3>
<p class="request"><code><strong class="method">${method}</strong> ${path}</code></p>
<p>${description}</p>
${query && html`<h4>Query</h4>${fieldTable(`Query of ${title}`, describedFields(querySchema(query)), required)}`}
${body && html`<h4>Body</h4>${fieldTable(`Body of ${title}`, describedFields(bodySchema(body)), required)}`}
${headers.length > 0 && html`<p>Optional headers: ${headers.map(({ name }, index) => html`${index > 0 && ', '}<a href="#headers"><code>${name}</code></a>`)}.</p>`}
<h4>Answer</h4>${answer(operation)}
<h4>Example</h4>`;
  const after = html`
<details><summary>Errors<span class="for-reader"> of ${title}</span></summary><ul class="chips">${errorsOf(
    operation,
  ).map(
    (code) => html`<li>${ERROR_STATUS[code]} <a href="#errors">${code}</a></li>`,
  )}</ul></details></article>`;
  return { operation, before, after };
}

function answer({ status, answer, hasEtag }: Operation): Html {
  const { name, isList } = answeredRecord(answerSchema(answer));
  const link = html`<a href="#${recordAnchor(name)}">${name}</a>`;
  const what = isList ? html`a list of ${link}` : html`one ${link}`;
  const isPaged = 'meta' in (answerSchema(answer).properties ?? {});
  return html`<p><code>${status}</code> with ${what} as <code>data</code>${isPaged && html` and a <a href="#lists">page’s</a> <code>meta</code>`}${hasEtag && html`, and an <code>ETag</code>`}.</p>`;
}
