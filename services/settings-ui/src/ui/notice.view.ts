import { type Html, html, type Renderable } from './html.ts';

export type Tone = 'good' | 'bad' | 'waiting';

interface NoticeOptions {
  /** Read aloud when it appears: at once (`alert`), or when nothing else is (`status`). */
  role?: 'alert' | 'status' | 'note' | 'group';
  label?: string;
  /** It gets the focus: an answer to what somebody has just done. */
  isAnswer?: boolean;
  /** It holds more than a sentence; its further classes. */
  look?: string;
  /** What is said aloud when it changes by itself. */
  news?: string;
}

/** Something to know, in a box of its own. */
export function notice(tone: Tone, body: Renderable, options: NoticeOptions = {}): Html {
  const { role, label, isAnswer, look, news } = options;
  const attributes = html`${role && html` role="${role}"`}${label && html` aria-label="${label}"`}${
    isAnswer && html` data-focus tabindex="-1"`
  }${news !== undefined && html` data-news="${news}"`}`;
  return look === undefined
    ? html`<p class="notice ${tone}"${attributes}>${body}</p>`
    : html`<div class="notice ${tone}${look && ` ${look}`}"${attributes}>${body}</div>`;
}

/**
 * What has just been done, at the end of the window, with the way back. Where scripts run it goes after a while, unless somebody points
 * at it or is in it; so the page has the way back too.
 */
export const toast = (words: Renderable, undo: Renderable): Html =>
  notice('good', html`<span>${words}</span>${undo}`, { role: 'status', isAnswer: true, look: 'toast' });
