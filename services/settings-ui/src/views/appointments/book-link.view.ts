import { type Html, html } from '../shared/html.ts';

/** A plus; `whom` is read out with it. */
export const bookLink = (href: string, whom: string): Html =>
  html`<a class="book" href="${href}"><span aria-hidden="true">+</span><span class="for-reader">Book ${whom}</span></a>`;
