import type { Usage } from '@frontdesk/contracts';
import { capitalised, countText } from '../../domain/words.ts';
import { type Html, html } from '../shared/html.ts';
import { unavailable } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';

const NEARLY = 0.8;

export const usageCard = (usage: Usage | null, zone: string): Html =>
  html`<section class="card" id="usage" aria-labelledby="usage-title"><h2 id="usage-title">Usage</h2>
${usage === null ? unavailable('The usage') : usageMeters(usage, zone)}</section>`;

/** How much of the plan is used in its present minute and day. */
export const usageMeters = ({ plan, minute, day }: Usage, zone: string): Html =>
  html`<p>Requests of all keys together, of what the plan <strong>${capitalised(plan)}</strong> allows.</p>
<div class="meters">${meter('This minute', minute, zone)}${meter('This day (UTC)', day, zone)}</div>`;

function meter(label: string, { limit, used, resets_at }: Usage['day'], zone: string): Html {
  const text = `${countText(used)} of ${countText(limit)}`;
  return html`<div class="meter"><p><strong>${label}</strong><span>${text}</span></p>
<meter min="0" max="${limit}" high="${Math.round(limit * NEARLY)}" optimum="0" value="${used}" aria-label="${label}: ${text} requests"></meter>
<p class="hint">Resets ${timeIn(zone, resets_at)}</p></div>`;
}
