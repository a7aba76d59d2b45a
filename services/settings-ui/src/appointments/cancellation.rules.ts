import { MAX_CANCELLATION_REASON, textField } from '@frontdesk/contracts';
import { z } from 'zod';
import { fromForm, seenVersion, typedTextOrNone } from '../forms/form-values.rules.ts';

/** Offered while a reason is typed; anything else can be typed as well. */
export const USUAL_REASONS = [
  'Customer cancelled',
  'Customer is ill',
  'Customer can’t make it',
  'We had to cancel',
  'Booked by mistake',
];

/** One line, whatever is pasted into it. */
const typedLine = (value: unknown) =>
  typedTextOrNone(typeof value === 'string' ? value.replaceAll(/\s+/gu, ' ') : value);

/** A cancellation, as the dialog or a program sends it. */
export const cancelBody = fromForm(
  z.looseObject({ ...seenVersion, reason: textField(MAX_CANCELLATION_REASON).nullish() }),
  { reason: typedLine },
);
