import {
  type DatedHours,
  datedHours,
  dateField,
  type FieldFault,
  type TimeOff,
  timeOffInput,
  WEEKDAYS,
  type WeeklyHours,
  weeklyHours,
} from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { z } from 'zod';
import { seenVersion } from '../forms/form-values.rules.ts';
import { formText, formTexts } from '../forms/sent-form.rules.ts';
import { typedTime } from '../region/read-time.rules.ts';
import { timeOffErrors, timeOffOf } from '../region/time-off.rules.ts';
import {
  draftErrors,
  draftOfForm,
  enteredSpans,
  hoursOfDraft,
  spanErrors,
  spansOf,
} from './hours-draft.rules.ts';
import { chosenField, spansOfText } from './span-text.rules.ts';

/** The fields of each day, once for each row. */
const dayFields = Object.fromEntries(
  WEEKDAYS.flatMap((day) => [`${day}_start`, `${day}_end`, chosenField(day)]).map((name) => [
    name,
    formTexts,
  ]),
);

/** Weekly hours as a form or a program sends them. `do` is the button of the form. */
export const hoursBody = z.intersection(
  z.object({ ...seenVersion, is_form: formText, do: formText, hours: weeklyHours.optional() }),
  z.object(dayFields),
);

const missing = (field: string): FieldFault => ({
  text: `The ${field} field is required.`,
  reason: 'required',
});
const trimmed = (text: string | null | undefined) => text?.trim() ?? '';
const noteOf = ({ note }: { note: string | null }) => trimmed(note) || null;

/**
 * A form without any hours means none, so only what says `is_form` is taken for one.
 * @throws AppError 422, by day or on `hours`
 */
export function hoursOf(body: z.output<typeof hoursBody>): WeeklyHours {
  if (body.is_form !== 'true') {
    if (body.hours === undefined) throw invalid({ hours: [missing('hours')] });
    return body.hours;
  }
  const draft = draftOfForm(body);
  const errors = draftErrors(draft);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return hoursOfDraft(draft);
}

const CLOSED = 'closed';

/** A date with hours of its own: `hours` from programs, the other fields from a form. */
export const exceptionBody = z.object({
  ...seenVersion,
  date: dateField,
  kind: formText,
  start: formTexts,
  end: formTexts,
  chosen_hours: formText,
  hours: datedHours.shape.hours.optional(),
  note: datedHours.shape.note,
});

/** @throws AppError 422 on `hours` */
export function exceptionOf(body: z.output<typeof exceptionBody>): DatedHours {
  const { date, kind, chosen_hours } = body;
  const note = noteOf(body);
  if (body.hours !== undefined) return { date, hours: body.hours, note };
  if (chosen_hours === CLOSED || (chosen_hours === undefined && kind === CLOSED))
    return { date, hours: [], note };
  const spans =
    chosen_hours === undefined ? spansOf({ start: body.start, end: body.end }) : spansOfText(chosen_hours);
  const hours = enteredSpans(spans);
  const errors = hours.length === 0 ? ['Enter the hours, or choose the whole day.'] : spanErrors(spans);
  if (errors.length > 0) throw invalid({ hours: errors });
  return { date, hours, note };
}

/** Time off: `start` and `end` from programs, days and times from a form. */
export const timeOffBody = z.object({
  ...seenVersion,
  form_token: formText,
  first_day: formText,
  first_time: formText,
  last_day: formText,
  last_time: formText,
  start: timeOffInput.shape.start.optional(),
  end: timeOffInput.shape.end.optional(),
  note: timeOffInput.shape.note,
});

/** @throws AppError 422 */
export function timeOffOfBody(body: z.output<typeof timeOffBody>): TimeOff {
  const note = noteOf(body);
  const { first_day, start, end } = body;
  if (first_day === undefined) {
    if (start !== undefined && end !== undefined) return { start, end, note };
    const left = Object.entries({ start, end }).filter(([, value]) => value === undefined);
    throw invalid(Object.fromEntries(left.map(([name]) => [name, [missing(name)]])));
  }
  const form = {
    first_day: trimmed(first_day),
    first_time: typedTime(trimmed(body.first_time)),
    last_day: trimmed(body.last_day),
    last_time: typedTime(trimmed(body.last_time)),
    note,
  };
  const errors = timeOffErrors(form);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return timeOffOf(form);
}
