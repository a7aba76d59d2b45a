import {
  ANSWER_HEADERS,
  ERROR_MEANINGS,
  ERROR_STATUS,
  MAX_PER_PAGE,
  type PublicErrorCode,
  REQUEST_HEADERS,
} from '@frontdesk/contracts';
import { type Html, html } from '../../shared/html.ts';
import { snippet } from './parts.ts';

/** What holds for all operations. */
export const guideCards = (publicUrl: string): Html =>
  html`<section class="card" aria-labelledby="requests"><h2 id="requests">Requests and answers</h2>
<p>The API is at <code>${publicUrl}/api/v1</code>. It speaks JSON and needs a <a href="/settings/api#keys">key</a> with each request, in one of three places:</p>
<dl class="places"><dt>Recommended</dt><dd><code>Authorization: Bearer &lt;key&gt;</code></dd><dt>Where that is taken</dt><dd><code>X-API-Key: &lt;key&gt;</code></dd><dt>For trying out</dt><dd><code>?api_key=&lt;key&gt;</code></dd></dl>
<p>A success has <code>success</code> true and <code>data</code>; a failure has a <code>code</code>, a <code>message</code> for people, and the request’s id:</p>
${snippet('a failure', JSON.stringify(FAILURE, null, 2))}
<p>Dates and times that you send are in the business’s time zone; every record names its own. In a PATCH only what you send changes, and <code>null</code> clears a field that may be empty.</p>
<p>All of this as OpenAPI 3.1: <a href="${publicUrl}/openapi.json">openapi.json</a></p></section>
<section class="card" aria-labelledby="lists"><h2 id="lists">Lists</h2>
<p>Long lists come in pages: <code>page</code> and <code>per_page</code>, up to ${MAX_PER_PAGE}. <code>meta</code> has <code>page</code>, <code>per_page</code>, <code>total</code> and, where the list goes on, <code>next_cursor</code>. Send that as <code>cursor</code> to walk through a long list without missing or repeating anything, and <code>updated_since</code> to get only what has changed. In a search through a very long list the total may be an estimate: <code>total_is_estimate</code> says so.</p></section>
<section class="card" aria-labelledby="errors"><h2 id="errors">Errors</h2>
<table class="list" aria-label="Codes"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${CODES.map(
    (code) =>
      html`<tr><th scope="row" data-label="Code"><code>${code}</code></th><td data-label="Status">${ERROR_STATUS[code]}</td><td data-label="Meaning">${ERROR_MEANINGS[code]}</td></tr>`,
  )}</tbody></table></section>
<section class="card" aria-labelledby="headers"><h2 id="headers">Headers</h2>
${headerTable('Request headers', REQUEST_HEADERS)}${headerTable('Answer headers', ANSWER_HEADERS)}</section>`;

const FAILURE = {
  success: false,
  code: 'validation_failed',
  message: 'The given data was invalid.',
  request_id: '0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44',
  errors: { customer_id: ['The customer_id field is required.'] },
};

const CODES = Object.keys(ERROR_MEANINGS) as PublicErrorCode[];

const headerTable = (label: string, headers: readonly { name: string; description: string }[]): Html =>
  html`<h3>${label}</h3><table class="list" aria-label="${label}"><thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead>
<tbody>${headers.map(({ name, description }) => html`<tr><th scope="row" data-label="Header"><code>${name}</code></th><td data-label="Meaning">${description}</td></tr>`)}</tbody></table>`;
