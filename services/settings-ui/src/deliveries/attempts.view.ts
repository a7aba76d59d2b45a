import { type DeliveryAttempt, KEPT_ANSWER_BYTES } from '@frontdesk/contracts';
import { failureWords } from '../records/attempt-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { latencyText } from '../region/words.rules.ts';
import { code } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { momentIn } from '../ui/times.view.ts';
import { visibleBeginning, visibleText } from '../ui/visible-text.ts';

/** Of all answers together, in characters, so that a page stays small; the newest come first. */
const SHOWN_OF_ANSWERS = 48 * 1024;
/** What the log keeps of an answer, in bytes; a character that was cut through may have been shorter. */
const KEPT_BYTES = KEPT_ANSWER_BYTES - 3;

/** The newest first. */
export function attemptList(attempts: readonly DeliveryAttempt[], region: Region): Html {
  let left = SHOWN_OF_ANSWERS;
  const items = attempts.toReversed().map((attempt) => {
    const { shown: answer, isClipped } = visibleBeginning(attempt.response_body ?? '', left);
    left -= answer.length;
    return item(attempt, { region, answer, isClipped });
  });
  return html`<ol class="attempts">${items}</ol>`;
}

interface Shown {
  region: Region;
  answer: string;
  /** There is more of it in the download. */
  isClipped: boolean;
}

function item(attempt: DeliveryAttempt, shown: Shown): Html {
  const { attempt: number, started_at, duration_ms, http_status, error_class } = attempt;
  const { region } = shown;
  const failure = error_class === null ? '' : failureWords(error_class);
  const outcome = http_status === null ? `No answer: ${failure}` : `HTTP ${http_status}`;
  const took = latencyText(region, duration_ms);
  return html`<li id="attempt-${number}"><details>
<summary>Attempt ${number} · ${momentIn(region, started_at)} · ${outcome} · ${took}</summary>
<dl><dt>Outcome</dt><dd>${
    error_class === null ? 'Delivered' : `Failed: ${failure}`
  }</dd><dt>Status</dt><dd>${http_status ?? 'None'}</dd>
<dt>Duration</dt><dd>${latencyText(region, duration_ms)}</dd></dl>
<h3>Request headers</h3>${headers(`Request headers of attempt ${number}`, attempt.request_headers)}
${
  attempt.response_headers &&
  html`<h3>Response headers</h3>${headers(`Response headers of attempt ${number}`, attempt.response_headers)}`
}
<h3>Response body</h3>${responseBody(attempt, shown)}</details></li>`;
}

function responseBody({ attempt, response_body: body }: DeliveryAttempt, { answer, isClipped }: Shown): Html {
  if (!body) return html`<p class="hint">${body === null ? 'No response.' : 'Empty.'}</p>`;
  const isCut = Buffer.byteLength(body) >= KEPT_BYTES;
  return html`${code(`Response body of attempt ${attempt}`, answer)}
${isClipped && html`<p class="hint">The download below has all that is kept of it.</p>`}
${isCut && html`<p class="hint">Cut off: the log keeps the first ${KEPT_ANSWER_BYTES / 1_024} KiB of a response.</p>`}`;
}

const headers = (label: string, record: Record<string, string>): Html =>
  code(
    label,
    visibleText(
      Object.entries(record)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    ),
  );
