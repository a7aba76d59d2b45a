import {
  createEndpointBody,
  MAX_CUSTOM_HEADERS,
  MAX_LENGTH,
  reasonOfHeader,
  updateEndpointBody,
} from '@frontdesk/contracts';
import { z } from 'zod';
import { faultText } from '../forms/fault-words.rules.ts';
import { listOf } from '../forms/form-values.rules.ts';
import { formInto, formText, formTexts } from '../forms/sent-form.rules.ts';

/** Each header with a colon, a blank and a line end. */
export const MAX_HEADERS_TEXT = MAX_CUSTOM_HEADERS * (MAX_LENGTH.headerName + MAX_LENGTH.headerValue + 4);

const NO_COLON = 'Enter a name, a colon and a value, such as “Authorization: Bearer 8f2c”.';

/** What is wrong with headers as they were typed. */
export class HeaderFaults {
  readonly messages: readonly string[];
  constructor(messages: readonly string[]) {
    this.messages = messages;
  }
}

/**
 * Custom headers from a form, which has one on each line: `Name: value`. Null stands for one that is removed; one that is entered too takes
 * its place. A fault names its line by the number alone: what stands there may be a secret.
 */
export function headersIn(
  text: string,
  removed: readonly string[],
): Record<string, string | null> | HeaderFaults {
  if (text.length > MAX_HEADERS_TEXT)
    return new HeaderFaults([faultText({ text: '', reason: 'too_long', most: MAX_HEADERS_TEXT })]);
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');
  if (lines.length > MAX_CUSTOM_HEADERS)
    return new HeaderFaults([faultText({ text: '', reason: 'too_many', most: MAX_CUSTOM_HEADERS })]);
  const entered = new Map<string, string>();
  const faults: string[] = [];
  for (const { line, number } of lines) {
    const [given = '', ...rest] = line.split(':');
    const name = given.trim().toLowerCase();
    const value = rest.join(':').trim();
    const fault = rest.length === 0 ? NO_COLON : wordsOf(name, value, entered);
    if (fault !== null) faults.push(`Line ${number}: ${fault}`);
    entered.set(name, value);
  }
  return faults.length > 0
    ? new HeaderFaults(faults)
    : Object.fromEntries([...removed.map((name) => [name, null] as const), ...entered]);
}

function wordsOf(name: string, value: string, entered: ReadonlyMap<string, string>): string | null {
  const reason = reasonOfHeader(name, value) ?? (entered.has(name) ? 'header_repeated' : null);
  return reason && faultText({ text: '', reason });
}

/** Says of headers what is wrong with their lines; the rest is the schema’s. */
const typedHeaders = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((given, context) => {
      if (!(given instanceof HeaderFaults)) return given;
      for (const message of given.messages) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }, schema)
    .optional();

/** Boxes that aren't ticked aren't sent: only what says `is_form` is taken for a form. */
const ofForm = { is_form: formText, removed_headers: formTexts };

type SentEndpoint = z.output<z.ZodObject<typeof ofForm, z.core.$loose>>;

/** What the contract reads. Programs send that as it is. */
function endpointOf({ is_form, removed_headers, ...sent }: SentEndpoint): Record<string, unknown> {
  const { events, scopes, headers = '' } = sent;
  // Of checkboxes, one that is checked arrives as a text, several as a list.
  const endpoint = { ...sent, events: typeof events === 'string' ? [events] : events };
  if (is_form !== 'true') return endpoint;
  return {
    ...endpoint,
    scopes: listOf(scopes),
    headers: typeof headers === 'string' ? headersIn(headers, [removed_headers ?? []].flat()) : headers,
  };
}

const { url, events, headers } = createEndpointBody.shape;

/** A new endpoint. A program that names no scopes gives it all that the person has. */
export const newEndpointForm = formInto(
  ofForm,
  createEndpointBody.extend({ headers: typedHeaders(headers) }),
  endpointOf,
);

/** What is changed about an endpoint: a form sends all of it but headers, whose values are never shown again. */
export const changedEndpointForm = formInto(
  ofForm,
  z.object({ url, events, headers: typedHeaders(updateEndpointBody.shape.headers) }),
  endpointOf,
);
