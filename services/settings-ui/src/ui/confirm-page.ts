import { CONFIRMED_MINUTES } from '@frontdesk/contracts';
import type { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { keptFields, postForm } from './controls.view.ts';
import { inputField } from './fields.view.ts';
import { formWithErrors } from './form-errors.ts';
import { html } from './html.ts';
import { layout } from './layout.view.ts';
import type { FormState, PageContext } from './page-context.ts';
import { barePanel } from './panel.view.ts';

export const CONFIRM = '/settings/confirm';
/** Beside the fields of a form that is sent again with the answer. */
export const PASSWORD_FIELD = '_password';
const TITLE = 'Confirm it’s you';

interface Question {
  /** Where the answer goes, with the fields that are kept. */
  action: string;
  field: typeof PASSWORD_FIELD | 'password';
  kept: readonly string[];
  form: FormState;
  /** The way back from a file, after which this page stays. */
  back: string | null;
}

/** Asks for the password, and goes on to what was asked for: a form to where it was sent, a page or file by its address. */
export function confirmPageOf(context: PageContext, request: FastifyRequest, error: AppError): string {
  const { method, url, routeOptions } = request;
  const isLink = method === 'GET' || method === 'HEAD';
  const isForm = !isLink && routeOptions.url !== CONFIRM;
  const field = isForm ? PASSWORD_FIELD : 'password';
  const refused = formWithErrors(request, error, [field], (name) => (name === 'password' ? field : name));
  const values = isLink ? { next: url } : refused.values;
  return confirmPage(context, {
    action: isLink ? CONFIRM : url,
    field,
    kept: Object.keys(values).filter((name) => name !== field && name !== '_csrf'),
    form: {
      values,
      faults: refused.faults,
      message: error.code === 'confirmation_required' ? null : refused.message,
    },
    back: isLink ? new URL('.', new URL(url, 'http://x')).pathname.slice(0, -1) : null,
  });
}

const confirmPage = (context: PageContext, { action, field, kept, form, back }: Question): string =>
  layout(context, {
    title: TITLE,
    lead: html`Signed in as <strong>${context.email}</strong>`,
    body: barePanel(
      TITLE,
      postForm(context, {
        action,
        id: 'confirm',
        look: 'stack short',
        reloadsPage: true,
        worksSuspended: true,
        state: form,
        body: html`<p>Enter your password to go on. You won’t be asked for it again for ${CONFIRMED_MINUTES} minutes.</p>
${keptFields(form, kept)}<input type="email" autocomplete="username" value="${context.email}" readonly hidden>
${inputField(form, { name: field, label: 'Password', type: 'password', autocomplete: 'current-password' })}
<div class="actions"><button type="submit" class="primary">Confirm</button>${
          back !== null && html`<a class="button" href="${back}">Back</a>`
        }</div>`,
      }),
    ),
  });
