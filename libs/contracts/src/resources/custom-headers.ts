import { z } from 'zod';
import type { FieldReason } from '../errors/field-faults.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';
import { MAX_CUSTOM_HEADERS } from '../limits/tenant-bounds.ts';

/** A token (RFC 9110, 5.6.2). */
const NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
/** Visible ASCII, with blanks between: what no server reads in two ways. */
const VALUE = String.raw`^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$`;

/** What a delivery sets itself, or might; and what is about one connection (RFC 9110, 7.6.1). */
const RESERVED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-frontdesk-', 'x-service-'];

const isReserved = (name: string) =>
  RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

const isWithin = (text: string, most: number, pattern: RegExp) => text.length <= most && pattern.test(text);
const isName = (text: string) => isWithin(text, MAX_LENGTH.headerName, new RegExp(NAME));
const isValue = (value: unknown): value is string =>
  typeof value === 'string' && isWithin(value, MAX_LENGTH.headerValue, new RegExp(VALUE));
const isValueOrNull = (value: unknown): value is string | null => value === null || isValue(value);

/** As a message shows it: it may be a whole body. */
const shown = (name: string) => JSON.stringify(name.slice(0, MAX_LENGTH.headerName)).toWellFormed();

/** Why a header can't be an own one; null where it can. */
export function reasonOfHeader(
  name: string,
  value: string,
): 'not_header_name' | 'header_reserved' | 'not_header_value' | null {
  if (!isName(name)) return 'not_header_name';
  if (isReserved(name.toLowerCase())) return 'header_reserved';
  return isValue(value) ? null : 'not_header_value';
}

type Fault = { message: string; params: FieldReason };

function* faultsOf(names: readonly string[]): Generator<Fault> {
  const known = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!isName(name))
      yield {
        message: `The {field} field must hold only names of headers: ${shown(name)} is none.`,
        params: { reason: 'not_header_name' },
      };
    else if (isReserved(lower))
      yield {
        message: `The {field} field must not hold ${lower}, which Frontdesk keeps to itself.`,
        params: { reason: 'header_reserved' },
      };
    else if (known.has(lower))
      yield {
        message: `The {field} field must hold ${lower} once.`,
        params: { reason: 'header_repeated' },
      };
    known.add(lower);
  }
}

export const TOO_MANY_HEADERS = {
  text: `The headers field must hold at most ${MAX_CUSTOM_HEADERS} headers.`,
  reason: 'too_many' as const,
  most: MAX_CUSTOM_HEADERS,
};

const headers = <Value>(takes: (value: unknown) => value is Value) =>
  z
    .record(z.string(), z.unknown(), 'The {field} field must be an object of names and values of headers.')
    .transform((given, context): Record<string, Value> => {
      const names = Object.keys(given);
      const refuse = ({ message, params }: Fault) => context.addIssue({ code: 'custom', message, params });
      if (names.length > MAX_CUSTOM_HEADERS)
        refuse({ message: TOO_MANY_HEADERS.text, params: TOO_MANY_HEADERS });
      else {
        for (const fault of faultsOf(names)) refuse(fault);
        for (const name of names.filter((one) => isName(one) && !takes(given[one])))
          refuse({
            message: `The {field} field must hold values of 1 to ${MAX_LENGTH.headerValue} visible ASCII characters: that of ${name} is none.`,
            params: { reason: 'not_header_value' },
          });
      }
      return Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name.toLowerCase(), value as Value]),
      );
    });

const described = {
  maxProperties: MAX_CUSTOM_HEADERS,
  propertyNames: { pattern: NAME, minLength: 1, maxLength: MAX_LENGTH.headerName },
};
const text = { type: 'string', pattern: VALUE, minLength: 1, maxLength: MAX_LENGTH.headerValue };

/** Custom headers of an endpoint that is new: names, which come in lower case, and values. */
export const customHeaders = headers(isValue).meta({
  ...described,
  additionalProperties: text,
  description: `Up to ${MAX_CUSTOM_HEADERS} custom headers, sent with each delivery: names and values. Values are stored sealed, and never shown again. Names that begin with webhook-, x-service- or content-, and those that belong to the connection, are Frontdesk’s.`,
});

/** What changes of them: null removes one, what is not named stays. */
export const customHeaderChanges = headers(isValueOrNull).meta({
  ...described,
  additionalProperties: { ...text, type: ['string', 'null'] },
  description:
    'What changes of its custom headers: a value sets one, null removes it, and those that you leave out stay. null in place of all removes all. Another url begins without headers, unless you send them with it.',
});
