import { clockText } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { daysOfTimeOff } from '../region/time-off.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { dayIn, daysIn, timeIn } from '../ui/times.view.ts';
import type { AuditAction, AuditEntry } from './audit.rules.ts';

/**
 * Whose subjects end with what this service has written about dates and times; other subjects are names
 * that people chose.
 */
const DATED: ReadonlySet<AuditAction> = new Set([
  'appointment_booked',
  'appointment_moved',
  'appointment_cancelled',
  'appointment_completed',
  'appointment_no_show',
  'appointment_reactivated',
  'appointment_changed',
  'appointment_arrived',
  'appointment_not_arrived',
  'exception_saved',
  'exception_removed',
  'time_off_added',
  'replay_begun',
]);
const STAMP = String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::[\d.]+Z)?)?`;
const ENDING = new RegExp(`^(.*?)(${STAMP})(?:( to | → | – )(${STAMP}))?$`);

/** What was changed. Its dates and times are stored as in JSON, and shown as the business's country writes them. */
export function auditSubject(region: Region, { action, subject }: AuditEntry): Html {
  const [, words, start, between, end] = (DATED.has(action) && ENDING.exec(subject)) || [];
  if (start === undefined) return html`${subject}`;
  if (end === undefined) return html`${words}${stampIn(region, start)}`;
  if (action === 'time_off_added') return html`${words}${daysIn(region, daysOfTimeOff({ start, end }))}`;
  return html`${words}${stampIn(region, start)}${between}${stampIn(region, end)}`;
}

/** A date, alone or with a clock time of the business, or an instant. */
function stampIn(region: Region, stamp: string): Html {
  if (stamp.endsWith('Z')) return timeIn(region, stamp);
  const [date = '', time] = stamp.split(/[T ]/);
  return html`${dayIn(region, date)}${time && `, ${clockText(region, time)}`}`;
}
