import type { DatedHours, TimeOff, WeeklyHours } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { typedTextOrNone } from './form-values.ts';
import { draftErrors, draftOfForm, enteredSpans, hoursOfDraft, spanErrors, spansOf } from './hours-draft.ts';
import { type TimeOffForm, timeOffErrors, timeOffOf } from './time-off.ts';

type Body = Record<string, unknown>;

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const noteOf = ({ note }: Body) => typedTextOrNone(note ?? null) as string | null;

/**
 * Weekly hours as a form tells them, or as programs send them: those are judged by scheduling. A form without any hours
 * means none, so only what says `is_form` is taken for one. @throws AppError 422, by day or on `hours`
 */
export function hoursOf(body: Body): WeeklyHours {
  if (body.is_form !== 'true') {
    if (body.hours === undefined) throw invalid({ hours: ['The hours field is required.'] });
    return body.hours as WeeklyHours;
  }
  const draft = draftOfForm(body);
  const errors = draftErrors(draft);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return hoursOfDraft(draft);
}

/** A date with hours of its own. @throws AppError 422 on `hours` */
export function exceptionOf(body: Body & { date: string }): DatedHours {
  const { date } = body;
  const note = noteOf(body);
  if ('hours' in body) return { date, hours: body.hours as DatedHours['hours'], note };
  if (body.kind === 'closed') return { date, hours: [], note };
  const spans = spansOf(body);
  const hours = enteredSpans(spans);
  const errors = hours.length === 0 ? ['Enter the hours, or choose the whole day.'] : spanErrors(spans);
  if (errors.length > 0) throw invalid({ hours: errors });
  return { date, hours, note };
}

/** @throws AppError 422 */
export function timeOffOfBody(body: Body): TimeOff {
  if (!('first_day' in body)) return { ...body, note: noteOf(body) } as unknown as TimeOff;
  const form: TimeOffForm = {
    first_day: textOf(body.first_day),
    first_time: textOf(body.first_time),
    last_day: textOf(body.last_day),
    last_time: textOf(body.last_time),
    note: noteOf(body),
  };
  const errors = timeOffErrors(form);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return timeOffOf(form);
}
