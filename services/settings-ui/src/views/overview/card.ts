import { type Html, html, type Renderable } from '../shared/html.ts';

interface Card {
  id: string;
  title: string;
  /** The number that one looks for first, and what it counts. */
  figure?: { value: string; of: Renderable } | undefined;
  more?: { href: string; text: string };
  isWide?: boolean;
  body: Renderable;
}

export const card = ({ id, title, figure, more, isWide = false, body }: Card): Html =>
  html`<section class="card${isWide && ' wide'}" id="${id}" aria-labelledby="${id}-title">
<header><h2 id="${id}-title">${title}</h2>${more && html`<a href="${more.href}">${more.text}</a>`}</header>
${figure && html`<p class="figure"><strong>${figure.value}</strong> <span>${figure.of}</span></p>`}
${body}</section>`;

/** Parts of a sentence, apart from one another; those that are false are left out. */
export const parts = (...texts: (Renderable | false)[]): Html =>
  html`${texts.filter((text) => text !== false).map((text, index) => html`${index > 0 && ' · '}${text}`)}`;
