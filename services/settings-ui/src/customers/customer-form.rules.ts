import { createCustomerBody, updateCustomerAdminBody } from '@frontdesk/contracts';
import { fromForm, seenVersion, typedLines, typedText, typedTextOrNone } from '../forms/form-values.rules.ts';
import { formText } from '../forms/sent-form.rules.ts';

export const CUSTOMER_FIELDS = ['name', 'phone', 'email', 'segment', 'pipeline_stage', 'notes'];

const typed = {
  name: typedText,
  phone: typedText,
  email: typedTextOrNone,
  pipeline_stage: typedTextOrNone,
  notes: typedLines,
};

export const newCustomerForm = fromForm(createCustomerBody, typed);
/** `confirmed_phone`: the other number that the form has asked about. */
export const changeCustomerForm = fromForm(
  updateCustomerAdminBody.extend({ ...seenVersion, confirmed_phone: formText }),
  typed,
);
