import { type UpdateAppointmentAdmin, updateAppointmentAdminBody } from '@frontdesk/contracts';
import { z } from 'zod';
import { fromForm, seenVersion, typedLines, typedNumber } from '../forms/form-values.rules.ts';
import { drawnOf } from '../forms/merged-form.rules.ts';
import { type FormValues, formText } from '../forms/sent-form.rules.ts';
import { readAmountField } from '../services/amount.rules.ts';
import { ANYONE } from './moved-start.rules.ts';

/** What the form has of an appointment. */
export const EDIT_FIELDS = ['service_id', 'staff_id', 'duration_minutes', 'price', 'notes'] as const;

const { service_id, staff_id, duration_minutes, price, notes } = updateAppointmentAdminBody.shape;

/** Changes of an appointment where it is; `at` is a free time in place of one that was refused. */
export const editBody = fromForm(
  z.object({
    service_id,
    staff_id,
    duration_minutes,
    price: readAmountField(price).optional(),
    notes,
    at: formText,
    drawn: formText,
    ...seenVersion,
  }),
  {
    service_id: typedNumber,
    staff_id: (value) => (value === ANYONE ? null : typedNumber(value)),
    duration_minutes: typedNumber,
    notes: typedLines,
  },
);

export type EditBody = z.output<typeof editBody>;

const plainText = (value: FormValues[string]) => [value ?? ''].flat()[0]?.replaceAll('\r\n', '\n');

/**
 * What a form changes: what differs from what it was drawn with (`sent` is its text). So another service brings its own
 * length and price, unless these were changed too. A program, which draws nothing, changes all that it names.
 */
export function patchOf(
  { at, drawn, version, ...fields }: EditBody,
  sent: FormValues,
): UpdateAppointmentAdmin {
  const before = drawnOf(drawn ?? '');
  const isTouched = (name: string) =>
    before[name] === undefined || plainText(before[name]) !== plainText(sent[name]);
  const [date, time] = at ? at.split('T') : [];
  return {
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => isTouched(name))),
    ...(date !== undefined && time !== undefined && { appointment_date: date, appointment_time: time }),
  };
}
