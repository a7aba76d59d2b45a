import { type Html, html, type Renderable } from './html.ts';
import { notice } from './notice.view.ts';

/**
 * What has just been done, at the end of the window, with the way back. Where scripts run it goes after a while, unless somebody points
 * at it or is in it; so the page has the way back too.
 */
export const toast = (words: Renderable, undo: Renderable): Html =>
  notice('good', html`<span>${words}</span>${undo}`, { role: 'status', isAnswer: true, look: 'toast' });
