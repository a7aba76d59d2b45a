import type { App } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { FormTokens } from '../../clients/form-tokens.ts';
import { wantsJson } from './accept.ts';
import { goTo } from './changes.ts';
import type { Notice } from './notices.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A form of it is accepted once; sent again, by a reload, it leads to this page with this notice. */
    sentOnce?: { notice: Notice; to: string };
  }
}

/** Register it after `requireSession`. The forms carry an `onceField`; programs send none. */
export function takeFormsOnce(app: App, forms: FormTokens): void {
  const formOf = (request: FastifyRequest) => {
    const { sentOnce } = request.routeOptions.config;
    const formToken = request.sent?.form_token;
    if (!sentOnce || typeof formToken !== 'string' || wantsJson(request)) return null;
    return { sentOnce, form: { session: request.session.token, action: request.url, formToken } };
  };
  const taken = new WeakSet<FastifyRequest>();

  app.addHook('preHandler', async (request, reply) => {
    const sent = formOf(request);
    if (!sent) return;
    if (await forms.take(sent.form)) {
      taken.add(request);
      return;
    }
    const { id = '' } = request.params as { id?: number };
    return goTo(reply, sent.sentOnce.to.replace(':id', String(id)), sent.sentOnce.notice);
  });
  // What was refused may be sent again as it is.
  app.addHook('onSend', async (request, reply) => {
    const sent = formOf(request);
    if (sent && taken.has(request) && reply.statusCode >= 400) await forms.release(sent.form);
  });
}
