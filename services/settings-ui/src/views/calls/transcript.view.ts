import type { Utterance } from '@frontdesk/contracts';
import { type Html, html } from '../shared/html.ts';
import { visibleBeginning } from '../shared/visible-text.ts';

/** Of a transcript: one may have two megabytes, and a line for each word. */
const SHOWN_CHARACTERS = 100_000;
const SHOWN_UTTERANCES = 1_000;

interface Transcript {
  transcript: Utterance[];
  /** It was longer than what is kept. */
  isTruncated: boolean;
  /** What the customer is called in it. */
  customer: string;
}

/** What was said, as a dialogue. */
export function transcriptCard({ transcript, isTruncated, customer }: Transcript): Html {
  const { shown, isClipped } = beginningOf(transcript);
  const speakers = { agent: 'Agent', customer, system: 'System' };
  return html`<section class="card" aria-labelledby="transcript-title"><h2 id="transcript-title">Transcript</h2>
${
  transcript.length === 0
    ? html`<p class="empty">No transcript. Some providers send it minutes after the call, others only when it is turned on there.</p>`
    : html`<ol class="dialogue">${shown.map(
        ({ role, text, start }) =>
          html`<li class="said-by-${role}"><p class="speaker">${speakers[role]}${start !== null && html` <span>${minuteText(start)}</span>`}</p><p class="as-typed">${text}</p></li>`,
      )}</ol>`
}
${isClipped && html`<p class="hint">Only the beginning is shown. Programs get all of it from the API.</p>`}
${isTruncated && html`<p class="hint">The provider sent more than is kept: its end is missing.</p>`}</section>`;
}

/** As many utterances as a page can show, with what hides in them spelled out; the last of them may end early. */
function beginningOf(transcript: readonly Utterance[]): { shown: Utterance[]; isClipped: boolean } {
  let left = SHOWN_CHARACTERS;
  const shown: Utterance[] = [];
  for (const utterance of transcript.slice(0, SHOWN_UTTERANCES)) {
    if (left === 0) break;
    const { shown: text, isClipped } = visibleBeginning(utterance.text, left);
    shown.push({ ...utterance, text });
    left -= text.length;
    if (isClipped) return { shown, isClipped };
  }
  return { shown, isClipped: shown.length < transcript.length };
}

/** `2:05` into the call. */
const minuteText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
