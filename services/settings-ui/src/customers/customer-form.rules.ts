import { createCustomerBody, updateCustomerBody } from '@frontdesk/contracts';
import { fromForm, seenVersion, typedText, typedTextOrNone } from '../forms/form-values.rules.ts';

export const CUSTOMER_FIELDS = ['name', 'phone', 'email', 'segment', 'pipeline_stage', 'notes'];

/** Browsers send line ends of their own; with those, notes that nobody touched would look changed. */
const typedLines = (value: unknown) =>
  typedTextOrNone(typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value);

const typed = {
  name: typedText,
  phone: typedText,
  email: typedTextOrNone,
  pipeline_stage: typedTextOrNone,
  notes: typedLines,
};

export const newCustomerForm = fromForm(createCustomerBody, typed);
export const changeCustomerForm = fromForm(updateCustomerBody.extend(seenVersion), typed);
