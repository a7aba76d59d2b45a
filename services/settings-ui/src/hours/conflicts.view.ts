import { appointmentAddress } from '../records/addresses.rules.ts';
import { customerName, span } from '../records/appointment-words.view.ts';
import { dateIn } from '../region/dates.rules.ts';
import { plural } from '../region/words.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import { dayIn } from '../ui/times.view.ts';
import { type ConflictPart, conflictsOf, type ShownConflicts } from './conflicts.rules.ts';

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
  return notice(
    'waiting',
    html`<p><strong>${plural(region, own.length, 'appointment')} ${WHERE[part]}.</strong>
${own.length === 1 ? 'It stays' : 'They stay'} booked; move or cancel what can’t take place.</p>
<ul>${own.map((one) => item(one, conflicts))}</ul>${unlisted(conflicts)}`,
    { role: 'group', label: `Appointments ${WHERE[part]}`, look: 'conflicts' },
  );
}

function item(one: ShownConflicts['appointments'][number], { region, customers }: ShownConflicts): Html {
  const { id, starts_at, service_name, customer_id, staff_name } = one;
  const when = html`${dayIn(region, dateIn(region.zone, starts_at))}, ${span(region, one)}`;
  const what = html`${service_name}, ${customerName(customers, customer_id)}`;
  const whose = staff_name !== null && `, with ${staff_name}`;
  return html`<li><a href="${appointmentAddress(id)}">${when}</a> ${what}${whose}</li>`;
}

const unlisted = ({ count, is_complete, appointments }: ShownConflicts): Html | false =>
  count > appointments.length &&
  html`<p class="hint">Of ${
    is_complete ? count : `${count} or more`
  } appointments that don’t fit, the first ${appointments.length} are listed.</p>`;
