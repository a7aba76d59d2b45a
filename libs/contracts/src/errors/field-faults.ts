import { z } from 'zod';

/** What makes a password easy to guess. */
const GUESSED_BY = [
  'names',
  'repeats',
  'sequence',
  'row_of_keys',
  'key_pattern',
  'year',
  'date',
  'common',
] as const;

export type GuessedBy = (typeof GUESSED_BY)[number];

/**
 * Why a field was refused, and by which bound. Internal ports answer it beside the sentence of the API, so that pages say it in words
 * of their own. Closed: add here first. A sentence that people read as it is needs none.
 */
export const fieldReason = z.discriminatedUnion('reason', [
  z.object({
    reason: z.enum([
      'required',
      'not_text',
      'blank',
      'not_number',
      'not_whole_number',
      'not_a_choice',
      'not_date',
      'not_time',
      'not_date_and_time',
      'not_in_future',
      'not_network',
      'not_email',
      'not_time_zone',
      'name_taken',
      'service_gone',
      'services_gone',
      'customer_gone',
      'staff_gone',
      'staff_lacks_service',
      'time_taken',
      'time_not_offered',
      'time_skipped',
      'time_repeated',
      'provider_sets_secret',
      'just_replaced',
      'body_not_signed',
      'timestamp_unnamed',
      'has_credentials',
      'not_public_address',
      'not_picture',
      'not_in_this_status',
      'not_header_name',
      'not_header_value',
      'header_reserved',
      'header_repeated',
    ]),
  }),
  z.object({ reason: z.enum(['too_long', 'too_many', 'too_high']), most: z.number() }),
  z.object({ reason: z.enum(['too_short', 'too_few', 'too_low']), least: z.number() }),
  z.object({ reason: z.literal('not_within'), from: z.string(), to: z.string() }),
  z.object({ reason: z.literal('window_too_long'), most_days: z.int() }),
  z.object({ reason: z.literal('not_amount'), currency: z.string() }),
  z.object({ reason: z.literal('not_phone_number'), country: z.string() }),
  z.object({
    reason: z.literal('phone_taken'),
    customer: z.object({ id: z.int(), name: z.string() }),
  }),
  z.object({ reason: z.literal('easy_to_guess'), why: z.enum(GUESSED_BY) }),
  z.object({ reason: z.literal('not_signing_secret'), prefix: z.string(), least_bytes: z.int() }),
  z.object({ reason: z.literal('not_web_address'), allows_http: z.boolean() }),
  z.object({ reason: z.literal('port_not_allowed'), ports: z.string() }),
  z.object({ reason: z.literal('event_not_allowed'), scope: z.string() }),
]);

export type FieldReason = z.infer<typeof fieldReason>;

/** What is wrong with a field: the sentence that the API answers, with its reason where pages say it otherwise. */
export type FieldFault = string | ({ text: string } & FieldReason);

/** Field name → messages, as the `errors` object of a failed validation. */
export type FieldErrors = Record<string, string[]>;

/** Field name → what is wrong with it. */
export type FieldFaults = Record<string, FieldFault[]>;

/** Field name → for each of its messages the reason, or null. */
const fieldReasons = z.record(z.string(), z.array(fieldReason.nullable().catch(null)));

/** The reasons that a failure has on internal ports alone. Those of earlier releases have none. */
export const internalFailure = z.object({ reasons: fieldReasons.optional().catch(undefined) });

type FieldReasons = z.infer<typeof fieldReasons>;

/** What a schema says of a field that fails its check: the sentence, and the reason beside it. */
export const because = (reason: FieldReason, error: string) => ({ error, params: reason });

export const textOfFault = (fault: FieldFault): string => (typeof fault === 'string' ? fault : fault.text);

/** By entries: `__proto__` is a name like others. */
const mapped = <From, To>(
  fields: Record<string, From[]>,
  map: (from: From, field: string, index: number) => To,
) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, all]) => [field, all.map((each, index) => map(each, field, index))]),
  );

/** The `errors` of the failure envelope. */
export const errorsOfFaults = (faults: FieldFaults): FieldErrors => mapped(faults, textOfFault);

/** The `reasons` beside them; undefined where there is none. Of a later release, whose answer was stored, some are unknown. */
export function reasonsOfFaults(faults: FieldFaults): FieldReasons | undefined {
  const hasReason = Object.values(faults).some((all) => all.some((fault) => typeof fault !== 'string'));
  return hasReason
    ? mapped(faults, (fault) =>
        typeof fault === 'string' ? null : (fieldReason.safeParse(fault).data ?? null),
      )
    : undefined;
}

/** The faults that were answered as these `errors` and `reasons`. */
export const faultsOfErrors = (errors: FieldErrors, reasons: FieldReasons = {}): FieldFaults =>
  mapped(errors, (text, field, index): FieldFault => {
    const reason = Object.hasOwn(reasons, field) ? reasons[field]?.[index] : null;
    return reason ? { text, ...reason } : text;
  });
