import { positiveId, serviceInput, updateServiceBody } from '@frontdesk/contracts';
import { z } from 'zod';
import { readAmountField } from '../../domain/business/amount.ts';
import {
  checkedIds,
  fromForm,
  seenVersion,
  typedNumber,
  typedText,
  typedTextOrNone,
} from '../../domain/shared/form-values.ts';

export const SERVICE_FIELDS = [
  ...['name', 'description', 'duration_minutes', 'price'],
  ...['buffer_before_minutes', 'buffer_after_minutes', 'performers'],
];
const typed = {
  name: typedText,
  description: typedTextOrNone,
  duration_minutes: typedNumber,
  buffer_before_minutes: typedNumber,
  buffer_after_minutes: typedNumber,
  performers: checkedIds,
  shown_performers: checkedIds,
};
const performing = {
  /** Staff who are checked, and those who were when the form was shown. */
  performers: z.array(positiveId).default([]),
  shown_performers: z.array(positiveId).default([]),
};
const price = readAmountField(serviceInput.shape.price);
export const newServiceForm = fromForm(serviceInput.extend({ ...performing, price }), typed);
export const changeServiceForm = fromForm(
  updateServiceBody.extend({ ...performing, ...seenVersion, price: price.optional() }),
  typed,
);
