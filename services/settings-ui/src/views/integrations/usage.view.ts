import type { Usage } from '@frontdesk/contracts';
import type { Region } from '../../domain/shared/region.ts';
import { capitalised, countText } from '../../domain/shared/words.ts';
import { type Html, html } from '../shared/html.ts';
import { unavailable } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';

const NEARLY = 0.8;

export const usageCard = (usage: Usage | null, region: Region): Html =>
  html`<section class="card" id="usage" aria-labelledby="usage-title"><h2 id="usage-title">Usage</h2>
${usage === null ? unavailable('The usage') : usageMeters(usage, region)}</section>`;

/** How much of the plan is used in its present minute and day. */
export const usageMeters = ({ plan, minute, day }: Usage, region: Region): Html =>
  html`<p>Requests from all keys, out of what the <strong>${capitalised(plan)}</strong> plan allows.</p>
<div class="meters">${meter('This minute', minute, region)}${meter('Today (UTC)', day, region)}</div>`;

function meter(label: string, { limit, used, resets_at }: Usage['day'], region: Region): Html {
  const text = `${countText(region, used)} of ${countText(region, limit)}`;
  return html`<div class="meter"><p><strong>${label}</strong><span>${text}</span></p>
<meter min="0" max="${limit}" high="${Math.round(limit * NEARLY)}" optimum="0" value="${used}" aria-label="${label}: ${text} requests"></meter>
<p class="hint">Resets ${timeIn(region, resets_at)}</p></div>`;
}
