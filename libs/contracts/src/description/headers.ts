import { IDEMPOTENCY_RETENTION_HOURS } from '../limits/retention.ts';
import type { Operation } from '../operations/index.ts';
import type { WireSchema } from './wire-schema.ts';

interface DescribedHeader {
  name: string;
  description: string;
  isOf: (operation: Operation) => boolean;
  /** Any text, where it isn't said. */
  schema?: WireSchema;
}

interface AnswerHeader extends DescribedHeader {
  /** A success never lacks it. */
  isCertain?: boolean;
  /** Failures carry it too; those with one of these statuses, or all. */
  ofFailures?: readonly number[] | 'all';
}

const ofAll = () => true;
const isDeprecated = ({ deprecated }: Operation) => deprecated !== undefined;
const count: WireSchema = { type: 'integer', minimum: 0 };

/** Whether the answer is 304 while the record is as the client knows it. */
export const mayBeUnchanged = ({ method, hasEtag }: Operation) => method === 'GET' && hasEtag === true;

/** What a request may carry beside its key. */
export const REQUEST_HEADERS: readonly DescribedHeader[] = [
  {
    name: 'Idempotency-Key',
    description: `Up to 255 visible ASCII characters. Sent again with the same body within ${IDEMPOTENCY_RETENTION_HOURS} hours, the request has no second effect and gets the first answer.`,
    isOf: ({ method }) => method === 'POST',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: String.raw`^[\x21-\x7e]+$` },
  },
  {
    name: 'If-Match',
    description:
      'The ETag of the record as you know it: it changes only if nobody else has changed it since. What appointments have added to a customer’s totals is no such change.',
    isOf: ({ takesIfMatch }) => takesIfMatch === true,
  },
  {
    name: 'If-None-Match',
    description:
      'The ETag of the record as you know it: the answer is 304 without a body while it would show the same.',
    isOf: mayBeUnchanged,
  },
  {
    name: 'X-Request-Id',
    description: 'Up to 128 letters, digits, dots, dashes and underscores; comes back with the answer.',
    isOf: ofAll,
  },
];

/** What an answer carries. */
export const ANSWER_HEADERS: readonly AnswerHeader[] = [
  {
    name: 'ETag',
    description: 'Stands for all that the answer shows: another one when anything of it changes.',
    isOf: ({ hasEtag }) => hasEtag === true,
    isCertain: true,
    ofFailures: [412],
  },
  {
    name: 'Location',
    description: 'The path of the record that was made.',
    isOf: ({ hasLocation }) => hasLocation === true,
    isCertain: true,
  },
  {
    name: 'Idempotent-Replayed',
    description: 'true where this repeats the first answer.',
    isOf: ({ method }) => method === 'POST',
    schema: { const: 'true' },
    ofFailures: [409, 422],
  },
  {
    name: 'X-Request-Id',
    description: 'Identifies this request when you ask for help.',
    isOf: ofAll,
    isCertain: true,
    ofFailures: 'all',
  },
  ...[
    { name: 'X-RateLimit-Limit', description: 'Requests that the tighter window allows.', schema: count },
    { name: 'X-RateLimit-Remaining', description: 'Requests left in it.', schema: count },
    { name: 'X-RateLimit-Reset', description: 'When it resets, in seconds since 1970.', schema: count },
    { name: 'RateLimit-Policy', description: 'Both windows of the plan.' },
    { name: 'RateLimit', description: 'What is left of both.' },
  ].map((header) => ({ ...header, isOf: ofAll, isCertain: true, ofFailures: 'all' as const })),
  {
    name: 'Retry-After',
    description: 'Seconds after which it is worth trying again. On 429 and 503.',
    isOf: () => false,
    schema: count,
    ofFailures: [429, 503],
  },
  {
    name: 'WWW-Authenticate',
    description: 'How to send the key. On 401.',
    isOf: () => false,
    ofFailures: [401],
  },
  ...[
    { name: 'Deprecation', description: 'Since when the operation is deprecated: @ and seconds since 1970.' },
    { name: 'Sunset', description: 'When a deprecated operation may be gone, as an HTTP date.' },
    { name: 'Link', description: 'With rel="deprecation": what to use instead of a deprecated operation.' },
  ].map((header) => ({ ...header, isOf: isDeprecated, isCertain: true, ofFailures: 'all' as const })),
];

const described = ({ description, schema = { type: 'string' } }: AnswerHeader) => ({ description, schema });

/** The headers that failures of these operations refer to, by name. */
export const describedHeaders = (operations: readonly Operation[]) =>
  Object.fromEntries(
    ANSWER_HEADERS.filter(({ ofFailures, isOf }) =>
      ofFailures === 'all' ? operations.some(isOf) : ofFailures,
    ).map((header) => [header.name, described(header)]),
  );

/** The headers of a success of the operation. */
export const successHeaders = (operation: Operation) =>
  Object.fromEntries(
    ANSWER_HEADERS.filter(({ isOf }) => isOf(operation)).map((header) => [
      header.name,
      { ...described(header), ...(header.isCertain && { required: true }) },
    ]),
  );

/** The headers of its failures with this status. */
export const failureHeaders = (operation: Operation, status: number) =>
  Object.fromEntries(
    ANSWER_HEADERS.filter(({ isOf, ofFailures = [] }) =>
      ofFailures === 'all' ? isOf(operation) : ofFailures.includes(status),
    ).map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]),
  );
