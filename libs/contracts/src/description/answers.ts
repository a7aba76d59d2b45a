import { ERROR_STATUS, type ErrorCode } from '../error-codes.ts';
import { ERROR_MEANINGS, type PublicErrorCode } from '../error-meanings.ts';
import { CODES_WITH_DATA, type CodeWithData } from '../failure-data.ts';
import { errorsOf, type Operation } from '../operations/index.ts';
import { failureHeaders, mayBeUnchanged, successHeaders } from './headers.ts';
import { answerSchema, type WireSchema } from './wire-schema.ts';

/** What any request may get whose form HTTP itself, or its time limit, doesn't allow. */
const OF_TRANSPORT: readonly ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
];

export const json = (schema: WireSchema, example?: object) => ({
  'application/json': { schema, ...(example && { example }) },
});

/** Every answer of the operation, by status. */
export function answersOf(operation: Operation): Record<string, object> {
  const { status, otherStatus, answer } = operation;
  const answered = { headers: successHeaders(operation), content: json(answerSchema(answer)) };
  return {
    [status]: { description: 'Done.', ...answered },
    ...(otherStatus && {
      [otherStatus.status]: { description: otherStatus.description, ...answered },
    }),
    ...(mayBeUnchanged(operation) && {
      304: {
        description: 'The record is still as If-None-Match knows it.',
        headers: successHeaders(operation),
      },
    }),
    ...failuresOf(operation),
  };
}

/** One answer for each status: several codes may share it. */
function failuresOf(operation: Operation): Record<string, object> {
  const codes = [...OF_TRANSPORT, ...errorsOf(operation)];
  const entries = [...Map.groupBy(codes, (code) => ERROR_STATUS[code])].map(([status, ofStatus]) => [
    status,
    {
      description: ofStatus.map((code) => `${code}: ${ERROR_MEANINGS[code as PublicErrorCode]}`).join('\n\n'),
      headers: failureHeaders(operation, status),
      content: json(failureOfAny(ofStatus)),
    },
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

/** `slot_unavailable` as `SlotUnavailableFailure`. */
export const failureName = (code: CodeWithData): string =>
  `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Failure`;

/** Failures of one status. No two codes of one status have `data`. */
function failureOfAny(codes: readonly ErrorCode[]): WireSchema {
  const code = CODES_WITH_DATA.find((withData) => codes.includes(withData));
  return { $ref: `#/components/schemas/${code === undefined ? 'Failure' : failureName(code)}` };
}
