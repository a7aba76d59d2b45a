import { RECORDS, type RecordName } from '@frontdesk/contracts';
import type { DescribedField } from '../../../domain/described-fields.ts';
import { capitalised } from '../../../domain/words.ts';
import { type Html, html } from '../../shared/html.ts';

export const recordAnchor = (name: string) =>
  `record-${name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}`;

const NAMES = Object.keys(RECORDS) as RecordName[];

/** A type, with a link where it is a record. */
function typeOf(type: string): Html {
  const record = NAMES.find((name) => type.split(' ').includes(name));
  if (!record) return html`${type}`;
  const [before, after] = type.split(record);
  return html`${before}<a href="#${recordAnchor(record)}">${record}</a>${after}`;
}

/** What a field is called, what may stand in it, and what it means. */
export const fieldTable = (
  label: string,
  fields: readonly DescribedField[],
  { showsRequired }: { showsRequired: boolean },
): Html =>
  html`<table class="list fields" aria-label="${label}"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map((field) => row(field, showsRequired))}</tbody></table>`;

function row({ name, type, rules, description, isRequired }: DescribedField, showsRequired: boolean): Html {
  const rule = rules.join(', ');
  const text = [description, rule && `${capitalised(rule)}.`].filter(Boolean).join(' ');
  return html`<tr><th scope="row" data-label="Name"><code>${name}</code></th>
<td data-label="Type"><span>${typeOf(type)}${showsRequired && isRequired && html` <strong class="required">required</strong>`}</span></td>
<td data-label="Meaning">${text || '—'}</td></tr>`;
}

/** Lines that can't be used as they are: what is to be put in stands in angle brackets, and is marked. */
export const unfinishedSnippet = (label: string, text: string): Html =>
  html`<div class="snippet"><pre tabindex="0" role="group" aria-label="${label}"><code>${text
    .split(/(<[a-z ]+>)/)
    .map((part) => (part.startsWith('<') ? html`<mark>${part}</mark>` : part))}</code></pre></div>`;

/** Several lines to be copied. */
export const snippet = (label: string, text: string): Html =>
  html`<div class="snippet"><pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>
<button type="button" class="quiet" data-copy="${text}" hidden>Copy<span class="for-reader"> ${label}</span></button></div>`;
