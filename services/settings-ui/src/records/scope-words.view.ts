import { KEY_SCOPES, type KeyScope } from '@frontdesk/contracts';
import { type Html, html } from '../ui/html.ts';

/** What a scope opens, in words. Of a later release there may be others. */
export const scopeText = (scope: string): Html =>
  html`${Object.hasOwn(KEY_SCOPES, scope) && html`${KEY_SCOPES[scope as KeyScope]} `}<code>${scope}</code>`;

export const scopeList = (scopes: readonly string[]): Html =>
  html`<ul class="scopes">${scopes.map((scope) => html`<li>${scopeText(scope)}</li>`)}</ul>`;
