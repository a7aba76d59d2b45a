import { QUOTA_NOUNS, type QuotaName } from '@frontdesk/contracts';
import { isFull, isNearlyFull, type QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { countText } from '../../domain/shared/words.ts';
import { type Html, html, type Renderable } from './html.ts';
import { type FormState, isSent } from './page-context.ts';

const MEGABYTE = 1_000_000;

/** The advice where a quota is used up. */
const WAYS_OUT: Record<QuotaName, string> = {
  call_sources: 'Delete a source to add another',
  api_keys: 'Revoke or delete a key to create another',
  admins: 'Remove an admin or revoke an invitation to invite someone else',
  staff: 'Deactivate someone to add another',
  services: 'Deactivate a service to add another',
  call_messages_per_day: 'Further messages are refused until midnight UTC',
  call_bytes_per_day: 'Further messages are refused until midnight UTC',
};

/** `16 of 20 call sources used`, as a warning from 80 % on; empty where the use is not known. */
export function quotaLine(region: Region, use: QuotaUse | null): Html | false {
  if (use === null) return false;
  if (isFull(use))
    return html`<p class="notice waiting" role="status">You have reached your plan’s limit: ${usedText(region, use)}. ${WAYS_OUT[use.name]}, or ask for a larger plan.</p>`;
  return isNearlyFull(use)
    ? html`<p class="notice waiting" role="status">${usedText(region, use)}. You are close to your plan’s limit.</p>`
    : html`<p class="hint">${usedText(region, use)}</p>`;
}

/** The form that adds a record. Left out where the quota is used up, unless the form was just sent and shows its errors. */
export const unlessFull = (use: QuotaUse | null, addition: Renderable, sent?: FormState): Renderable =>
  isFull(use) && !(sent && isSent(sent)) ? false : addition;

/** `16 of 20 call sources used`. */
export function usedText(region: Region, { name, used, allowed }: QuotaUse): string {
  if (name === 'call_messages_per_day')
    return `${countText(region, used)} of ${countText(region, allowed)} call messages used today (UTC)`;
  if (name === 'call_bytes_per_day')
    return `${countText(region, Math.round(used / MEGABYTE))} of ${countText(region, Math.round(allowed / MEGABYTE))} MB of call messages used today (UTC)`;
  return `${countText(region, used)} of ${countText(region, allowed)} ${QUOTA_NOUNS[name]} used`;
}
