import {
  type CallSource,
  createCallSourceBody,
  rotateCallSourceBody,
  testCallBody,
  updateCallSourceBody,
} from '@frontdesk/contracts';
import { formInto, formText } from '../forms/sent-form.rules.ts';

const isChecked = (value: unknown) => value === 'true';
/** A secret that was left empty stays as it is. */
const withoutEmptySecret = ({ secret, ...form }: Record<string, unknown>) => ({
  ...form,
  secret: secret === '' ? undefined : secret,
});

export const addSourceForm = formInto({}, createCallSourceBody, withoutEmptySecret);
export const rotateForm = formInto({}, rotateCallSourceBody, withoutEmptySecret);

const settingsFields = {
  is_form: formText,
  creates_leads: formText,
  classifies_sentiment: formText,
  scheme: formText,
  signature_header: formText,
  timestamp_header: formText,
  payload: formText,
};

/** A checkbox that isn't checked isn't sent: `is_form` distinguishes "no" from a field that was left out. */
export const changeSourceForm = formInto(
  settingsFields,
  updateCallSourceBody.pick({ name: true, settings: true }),
  (form) => {
    if (!isChecked(form.is_form)) return form;
    const { name, scheme, signature_header, timestamp_header, payload } = form;
    const settings = {
      creates_leads: isChecked(form.creates_leads),
      classifies_sentiment: isChecked(form.classifies_sentiment),
      ...(scheme !== undefined && { vapi: { scheme, signature_header, timestamp_header, payload } }),
    };
    return { name, settings };
  },
);

export const testCallForm = formInto({}, testCallBody, ({ is_real, ...form }) => ({
  ...form,
  is_real: typeof is_real === 'string' ? isChecked(is_real) : is_real,
}));

/** A source's settings as the fields of the form that changes them. */
export function sourceFields({ name, provider, settings }: CallSource): Record<string, string> {
  const { creates_leads, classifies_sentiment, vapi } = settings;
  return {
    name,
    ...(provider === 'vapi' && vapi),
    creates_leads: String(creates_leads),
    classifies_sentiment: String(classifies_sentiment),
  };
}
