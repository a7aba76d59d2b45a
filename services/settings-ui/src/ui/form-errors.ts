import type { ErrorCode, FieldFaults } from '@frontdesk/contracts';
import type { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { namedFaultText } from '../forms/fault-words.rules.ts';
import type { FormState } from './page-context.ts';

/** Which field of a form an error is about: `hours.monday.0` begins with a field's name. */
const firstPart = (name: string): string => name.split('.')[0] ?? name;

/**
 * A refused form as it was sent: faults stand beside the fields it has, and what concerns no field above them. `nameOf`
 * is for forms that have other names than what they are made into.
 */
export function formWithErrors(
  request: FastifyRequest,
  error: AppError,
  fields: readonly string[] = [],
  nameOf: (name: string) => string = firstPart,
): FormState {
  const faults: FieldFaults = Object.fromEntries(
    Object.entries(error.faults ?? {}).map(([name, all]) => [nameOf(name), all]),
  );
  const others = Object.entries(faults).filter(([name]) => !fields.includes(name));
  const text = textOfFaults(Object.fromEntries(others));
  const message = error.faults === undefined ? errorText(error) : text || null;
  return { values: request.sent ?? {}, faults, message };
}

const CHANGED_MEANWHILE =
  'Someone else has changed this in the meantime, so your changes are not saved yet. What you entered is still here.';

/**
 * The same of a form that shows a version of a record. Where somebody else was faster, the form is drawn by both
 * (`recordState`).
 */
export function recordFormWithErrors(...refused: Parameters<typeof formWithErrors>): FormState {
  const [, error] = refused;
  const form = formWithErrors(...refused);
  if (error.code !== 'precondition_failed') return form;
  const { version: overtaken_version, ...values } = form.values;
  return { values: { ...values, overtaken_version }, faults: form.faults, message: CHANGED_MEANWHILE };
}

/** Failures whose sentence is for programs. */
const BY_CODE: Partial<Record<ErrorCode, string>> = {
  precondition_failed:
    'Someone else has changed this in the meantime. Check what is there now and try again.',
  request_in_progress: 'This is still being saved. Wait a moment, then try again.',
  payload_too_large: 'This is more than can be sent at once. Shorten it and try again.',
};

/** What is wrong with a change that has no fields, in a sentence for the page. */
export const errorText = (error: AppError): string =>
  BY_CODE[error.code] ?? (textOfFaults(error.faults ?? {}) || error.message);

const textOfFaults = (faults: FieldFaults): string =>
  Object.entries(faults)
    .flatMap(([field, all]) => all.map((fault) => namedFaultText(field, fault)))
    .join(' ');
