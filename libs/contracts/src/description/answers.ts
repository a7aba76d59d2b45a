import { ERROR_MEANINGS, ERROR_STATUS, type ErrorCode, type PublicErrorCode } from '../errors/error-codes.ts';
import { CODES_WITH_DATA, type CodeWithData } from '../errors/error-data.ts';
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
  const content = json(answerSchema(answer));
  // The other one makes no record.
  const { hasLocation: _ofMade, ...other } = operation;
  return {
    [status]: { description: 'Done.', headers: successHeaders(operation), content },
    ...(otherStatus && {
      [otherStatus.status]: { description: otherStatus.description, headers: successHeaders(other), content },
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

/** One answer for each status: several codes may share it. Each is described once, in `components.responses`. */
const failuresOf = (operation: Operation) =>
  Object.fromEntries(
    codesByStatus(operation).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(codes, operation)}` },
    ]),
  );

/** The failures that these operations refer to, by name. */
export const describedFailures = (operations: readonly Operation[]) =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      codesByStatus(operation).map(([status, codes]) => [
        nameOf(codes, operation),
        {
          description: codes
            .map((code) => `${code}: ${ERROR_MEANINGS[code as PublicErrorCode]}`)
            .join('\n\n'),
          headers: failureHeaders(operation, status),
          content: json(failureOfAny(codes)),
        },
      ]),
    ),
  );

const codesByStatus = (operation: Operation) => [
  ...Map.groupBy([...OF_TRANSPORT, ...errorsOf(operation)], (code) => ERROR_STATUS[code]),
];

/** `BadRequestOrInvalidJson`. Answers of deprecated operations have headers of their own. */
const nameOf = (codes: readonly ErrorCode[], { deprecated }: Operation) =>
  `${deprecated ? 'Deprecated' : ''}${codes.map(inCapitals).join('Or')}`;

/** `slot_unavailable` as `SlotUnavailable`. */
const inCapitals = (code: ErrorCode) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `SlotUnavailableFailure`. */
export const failureName = (code: CodeWithData): string => `${inCapitals(code)}Failure`;

/** Failures of one status. No two codes of one operation and status have `data`. */
function failureOfAny(codes: readonly ErrorCode[]): WireSchema {
  const code = CODES_WITH_DATA.find((withData) => codes.includes(withData));
  return { $ref: `#/components/schemas/${code === undefined ? 'Failure' : failureName(code)}` };
}
