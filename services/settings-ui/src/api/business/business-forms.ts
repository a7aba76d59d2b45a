import { type AppError, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FormState } from '../../views/page-context.ts';
import { wantsJson } from '../accept.ts';
import type { Notice } from '../notices.ts';
import { formStateOf } from '../pages.ts';

/** Which version of a record a form shows: its ETag. A change to any other is refused. */
export const seenVersion = { version: z.string().max(200).optional() };

/** A change with nothing to enter; programs may send no body at all. */
export const plainBody = z.preprocess((body) => Object(body), z.looseObject(seenVersion));

const CLASH =
  'Somebody else has changed this meanwhile, so nothing is saved yet. What you entered is still here: compare it with what is there now, and save again to keep yours.';

/**
 * A refused form as it was sent, in the words of a form. Where somebody else was faster, people see it and may insist:
 * the form then goes by what is there now.
 */
export function refusedForm(request: FastifyRequest, error: AppError, fields: readonly string[]): FormState {
  const form = formStateOf(request, error, fields);
  const errors = Object.fromEntries(
    Object.entries(form.errors).map(([name, messages]) => [name, messages.map(inPlace)]),
  );
  if (error.code !== 'precondition_failed') return { ...form, errors };
  const { version: overtaken_version, ...values } = form.values;
  return { values: { ...values, overtaken_version }, errors, message: CLASH };
}

/** Beside the field its name needn't be said. */
const inPlace = (message: string) => message.replace(/^The \S+ field /, 'This field ');

/** What concerns a page as a whole rather than one of its forms. */
export const refusalOf = (error: AppError): string =>
  error.code === 'precondition_failed'
    ? 'Somebody else has changed this meanwhile. Look at what is there now, and try again.'
    : Object.values(error.errors ?? {})
        .flat()
        .join(' ') || error.message;

/** The record for JSON clients; people go on to a page, which says what has been done. */
export function answerSaved<Data>(
  request: FastifyRequest,
  reply: FastifyReply,
  { data, notice, to }: { data: Data; notice: Notice; to: string },
) {
  if (wantsJson(request)) return ok(data);
  const [path = '', anchor] = to.split('#');
  return reply.redirect(`${path}?done=${notice}${anchor ? `#${anchor}` : ''}`, 303);
}
