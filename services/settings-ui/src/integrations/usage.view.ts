import { NEARLY_USED, type Usage } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { capitalised, countText } from '../region/words.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';

export const usageCard = (usage: Usage | null, region: Region): Html =>
  panel({
    id: 'usage',
    isPlace: true,
    title: 'Usage',
    body: html`${usage === null ? unavailable('The usage') : usageMeters(usage, region)}`,
  });

/** How much of the plan is used in its present minute and day. */
export const usageMeters = ({ plan, minute, day }: Usage, region: Region): Html =>
  html`<p>Requests from all keys, out of what the <strong>${capitalised(plan)}</strong> plan allows.</p>
<div class="meters">${meter('This minute', minute, region)}${meter('Today (UTC)', day, region)}</div>`;

function meter(label: string, { limit, used, resets_at }: Usage['day'], region: Region): Html {
  const text = `${countText(region, used)} of ${countText(region, limit)}`;
  return html`<div class="meter"><p><strong>${label}</strong><span>${text}</span></p>
<meter min="0" max="${limit}" high="${Math.round(limit * NEARLY_USED)}" optimum="0" value="${used}"
aria-label="${label}: ${text} requests"></meter>
<p class="hint">Resets ${timeIn(region, resets_at)}</p></div>`;
}
