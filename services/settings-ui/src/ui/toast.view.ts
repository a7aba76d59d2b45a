import { type Html, html, type Renderable } from './html.ts';
import { notice } from './notice.view.ts';
import type { PageContext } from './page-context.ts';

/**
 * What has just been done, at the end of the window, with the way back. Where scripts run it goes after a while, unless somebody points
 * at it or is in it; so the page has the way back too.
 */
export const toast = (words: Renderable, undo: Renderable): Html =>
  notice('good', html`<span>${words}</span>${undo}`, { role: 'status', isAnswer: true, look: 'toast' });

/** The id of a page's form that undoes what was just done. */
export const UNDO_FORM = 'undo';

/** Sends that form, where a part of the page has it. */
export const undoButton = ({ isSuspended }: PageContext, part: Html): Html | false =>
  !isSuspended &&
  String(part).includes(` id="${UNDO_FORM}"`) &&
  html`<button type="submit" class="quiet" form="${UNDO_FORM}">Undo</button>`;
