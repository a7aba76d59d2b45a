import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { type ConflictPart, conflictsOf, type ShownConflicts } from '../../domain/business/conflicts.ts';
import { dateIn } from '../../domain/shared/dates.ts';
import { plural } from '../../domain/shared/words.ts';
import { customerName, span } from '../appointments/appointment-words.ts';
import { type Html, html } from '../shared/html.ts';
import { dayIn } from '../shared/times.ts';

const WHERE: Record<ConflictPart, string> = {
  hours: 'outside these hours',
  exceptions: 'outside the special hours of their date',
  'time-off': 'during time off or closing days',
};

/** The appointments that don't fit what a card is about; nothing where all fit. */
export function conflictList(
  part: ConflictPart,
  conflicts: ShownConflicts | null | undefined,
  exceptions: readonly { date: string }[],
): Html | false {
  if (!conflicts) return false;
  const { region } = conflicts;
  const own = conflictsOf(part, conflicts, exceptions);
  if (own.length === 0) return false;
  return html`<div class="notice waiting conflicts" role="group" aria-label="Appointments ${WHERE[part]}">
<p><strong>${plural(region, own.length, 'appointment')} ${WHERE[part]}.</strong> ${own.length === 1 ? 'It stays' : 'They stay'} booked; move or cancel what can’t take place.</p>
<ul>${own.map((one) => item(one, conflicts))}</ul>${unlisted(conflicts)}</div>`;
}

const item = (one: ShownConflicts['appointments'][number], { region, customers }: ShownConflicts): Html =>
  html`<li><a href="${appointmentAddress(one.id)}">${dayIn(region, dateIn(region.zone, one.starts_at))}, ${span(region, one)}</a> ${one.service_name}, ${customerName(customers, one.customer_id)}${one.staff_name !== null && `, with ${one.staff_name}`}</li>`;

const unlisted = ({ count, is_complete, appointments }: ShownConflicts): Html | false =>
  count > appointments.length &&
  html`<p class="hint">Of ${is_complete ? count : `${count} or more`} appointments that don’t fit, the first ${appointments.length} are listed.</p>`;
