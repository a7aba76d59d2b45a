import {
  type CallSource,
  createCallSourceBody,
  rotateCallSourceBody,
  testCallBody,
  updateCallSourceBody,
} from '@frontdesk/contracts';
import { z } from 'zod';

type Fields = Record<string, unknown>;

const isChecked = (value: unknown) => value === 'true';
/** A field of a form that was left empty says nothing. */
const given = (value: unknown) => (value === '' ? undefined : value);
const withoutEmptySecret = (body: unknown) => {
  const fields = { ...Object(body) } as Fields;
  return { ...fields, secret: given(fields.secret) };
};

export const addSourceForm = z.preprocess(withoutEmptySecret, createCallSourceBody);
export const rotateForm = z.preprocess(withoutEmptySecret, rotateCallSourceBody);

/** A checkbox that isn't checked isn't sent: what a form says is told from what it doesn't by `is_form`. */
export const changeSourceForm = z.preprocess(
  (body) => {
    const { is_form, name, creates_leads, classifies_sentiment, ...vapi } = { ...Object(body) } as Fields;
    if (!isChecked(is_form)) return body;
    const { scheme, signature_header, timestamp_header, payload } = vapi;
    const settings = {
      creates_leads: isChecked(creates_leads),
      classifies_sentiment: isChecked(classifies_sentiment),
      ...(scheme !== undefined && { vapi: { scheme, signature_header, timestamp_header, payload } }),
    };
    return { name, settings };
  },
  updateCallSourceBody.pick({ name: true, settings: true }),
);

export const testCallForm = z.preprocess((body) => {
  const fields = { ...Object(body) } as Fields;
  const { is_real, ...rest } = fields;
  return { ...rest, is_real: typeof is_real === 'string' ? isChecked(is_real) : is_real };
}, testCallBody);

/** A source's settings as the fields of the form that changes them. */
export function sourceFields({ name, settings }: CallSource): Record<string, string> {
  const { creates_leads, classifies_sentiment, vapi } = settings;
  return {
    ...{ name, ...vapi },
    creates_leads: String(creates_leads),
    classifies_sentiment: String(classifies_sentiment),
  };
}
