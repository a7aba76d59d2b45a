import { type Html, html, type Renderable } from './html.ts';

interface Panel {
  /** Of its heading: `id-title`. */
  id: string;
  title: Renderable;
  body: Renderable;
  /** Addresses lead to it. */
  isPlace?: boolean;
  /** Beside the title, for example its state. */
  beside?: Renderable;
  /** What is said aloud when it changes by itself. */
  news?: string;
  /** The title gets the focus when the page is opened. */
  isStart?: boolean;
  /** The title is only heard. */
  isUntitled?: boolean;
}

/** A part of a page under a heading of its own. */
export function panel({ id, title, body, isPlace, beside, news, isStart, isUntitled }: Panel): Html {
  const heading = html`<h2 id="${id}-title"${isUntitled && html` class="for-reader"`}${
    isStart && html` tabindex="-1" autofocus data-focus`
  }>${title}</h2>`;
  return html`<section class="card"${isPlace && html` id="${id}"`} aria-labelledby="${id}-title">
${
  beside === undefined
    ? heading
    : html`<div class="heading"${news !== undefined && html` data-news="${news}"`}>${heading}${beside}</div>`
}
${body}</section>`;
}

/** The one part of a page, whose heading is the page's. */
export const barePanel = (label: string, body: Renderable): Html =>
  html`<section class="card bare" aria-label="${label}">
${body}</section>`;

interface Card {
  id: string;
  title: string;
  /** The number that one looks for first, and what it counts. */
  figure?: { value: string; of: Renderable } | undefined;
  /** The link to more. */
  more?: Html | false;
  isWide?: boolean;
  body: Renderable;
}

/** A part of a page under a heading, with one number that says most of it, and the way to more. */
export const card = ({ id, title, figure, more, isWide = false, body }: Card): Html =>
  html`<section class="card${isWide && ' wide'}" id="${id}" aria-labelledby="${id}-title">
<header><h2 id="${id}-title">${title}</h2>${more}</header>
${figure && html`<p class="figure"><strong>${figure.value}</strong> <span>${figure.of}</span></p>`}
${body}</section>`;
