import type { FieldErrors } from '@frontdesk/contracts';
import type { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { plainMessage } from '../../domain/shared/plain-message.ts';
import type { FormState } from '../../views/shared/page-context.ts';

/** Which field of a form an error is about: `hours.monday.0` begins with a field's name. */
const firstPart = (name: string): string => name.split('.')[0] ?? name;

/**
 * A refused form as it was sent: errors stand beside the fields it has, and what concerns no field above them. `nameOf` is
 * for forms that have other names than what they are made into.
 */
export function refusedForm(
  request: FastifyRequest,
  error: AppError,
  fields: readonly string[] = [],
  nameOf: (name: string) => string = firstPart,
): FormState {
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(error.errors ?? {}).map(([name, messages]) => [nameOf(name), messages]),
  );
  const others = Object.entries(errors).filter(([name]) => !fields.includes(name));
  const text = others.flatMap(([, messages]) => messages.map((message) => plainMessage(message))).join(' ');
  const message = error.errors === undefined ? error.message : others.length > 0 ? text : null;
  return { values: request.sent ?? {}, errors, message };
}

const OVERTAKEN =
  'Someone else has changed this in the meantime, so your changes are not saved yet. What you entered is still here.';

/** The same of a form that shows a version of a record. Where somebody else was faster, the form is drawn by both (`recordState`). */
export function refusedRecordForm(...refused: Parameters<typeof refusedForm>): FormState {
  const [, error] = refused;
  const form = refusedForm(...refused);
  if (error.code !== 'precondition_failed') return form;
  const { version: overtaken_version, ...values } = form.values;
  return { values: { ...values, overtaken_version }, errors: form.errors, message: OVERTAKEN };
}

/** What is wrong with a change that has no fields, in a sentence for the page. */
export const refusalOf = (error: AppError): string =>
  error.code === 'precondition_failed'
    ? 'Someone else has changed this in the meantime. Check what is there now and try again.'
    : Object.values(error.errors ?? {})
        .flat()
        .map((message) => plainMessage(message))
        .join(' ') || plainMessage(error.message);
