import { QUOTA_NOUNS, type QuotaName } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import { type FormState, isSent } from '../ui/page-context.ts';
import { isFull, type QuotaUse } from './quota-use.rules.ts';

const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000_000_000;

/** The advice where a quota is used up. */
const WAYS_OUT: Record<QuotaName, string> = {
  call_sources: 'Delete a source to add another',
  api_keys: 'Revoke or delete a key to create another',
  admins: 'Remove someone or revoke an invitation to invite someone else',
  staff: 'Deactivate someone to add another',
  services: 'Deactivate a service to add another',
  call_messages_per_day: 'Further messages are refused until midnight UTC',
  call_bytes_per_day: 'Further messages are refused until midnight UTC',
  customers: 'No customer can be added',
  appointments_per_day: 'Further appointments are refused until midnight UTC',
  stored_bytes: 'Nothing can be added once a tenth more is stored',
};

/** `16 of 20 call sources used`; a warning where that is nearly all. Nothing where the use is not known. */
export function quotaLine(region: Region, use: QuotaUse | null): Html | false {
  if (use === null) return false;
  if (isFull(use))
    return notice(
      'waiting',
      html`You have reached your plan’s limit: ${usedText(region, use)}.
${WAYS_OUT[use.name]}, or ask for a larger plan.`,
      { role: 'status' },
    );
  return use.isNearlyFull
    ? notice('waiting', html`${usedText(region, use)}. You are close to your plan’s limit.`, {
        role: 'status',
      })
    : html`<p class="hint">${usedText(region, use)}</p>`;
}

/**
 * The form that adds a record. Left out where the quota is used up, unless the form was just sent and shows its errors.
 */
export const unlessFull = (use: QuotaUse | null, addition: Renderable, sent?: FormState): Renderable =>
  isFull(use) && !(sent && isSent(sent)) ? false : addition;

/** `16 of 20 call sources used`. */
export function usedText(region: Region, { name, used, allowed }: Omit<QuotaUse, 'isNearlyFull'>): string {
  const inUnits = (unit: number) =>
    [used, allowed].map((bytes) => countText(region, Math.round(bytes / unit))).join(' of ');
  if (name === 'call_messages_per_day')
    return `${countText(region, used)} of ${countText(region, allowed)} call messages used today (UTC)`;
  if (name === 'call_bytes_per_day') return `${inUnits(MEGABYTE)} MB of call messages used today (UTC)`;
  if (name === 'appointments_per_day')
    return `${countText(region, used)} of ${countText(region, allowed)} new appointments used today (UTC)`;
  if (name === 'stored_bytes') return `${inUnits(GIGABYTE)} GB of storage used`;
  return `${countText(region, used)} of ${countText(region, allowed)} ${QUOTA_NOUNS[name]} used`;
}
