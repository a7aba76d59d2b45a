import { randomUUID } from 'node:crypto';
import { AppError, answerFailure } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainMessage } from '../../domain/shared/plain-message.ts';
import { sentForm } from '../../domain/shared/sent-form.ts';
import { messagePage, wrongAddressPage } from '../../views/shared/message.view.ts';
import type { PageContext } from '../../views/shared/page-context.ts';
import { wantsJson } from './accept.ts';
import type { Assets } from './assets.ts';
import { csrfTokenOf } from './csrf.ts';
import { doneOf, NOTICES } from './notices.ts';

export type FailurePage = (request: FastifyRequest, reply: FastifyReply, error: AppError) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shows a form again that could not be taken, with what was typed and what is wrong. */
    failurePage?: FailurePage;
    /** The page is for people who are not signed in. */
    isForEverybody?: boolean;
    /** The text of the link to the page without its query, for a query that can't be read. */
    withoutQuery?: string;
  }
}

export interface Pages {
  context(request: FastifyRequest): PageContext;
  send(reply: FastifyReply, markup: string): FastifyReply;
  /** The envelope for JSON clients; for people the form again, the sign-in, or a page that says it. */
  answerFailure: (error: AppError, request: FastifyRequest, reply: FastifyReply) => unknown;
}

export function createPages(assets: Assets): Pages {
  const context: Pages['context'] = (request) => {
    const session = request.session as FastifyRequest['session'] | undefined;
    const done = doneOf(sentForm.parse(request.query).done);
    return {
      asset: assets.url,
      email: session?.email ?? null,
      isSuspended: session !== undefined && request.isSuspended,
      csrfToken: session ? csrfTokenOf(session.csrfSecret) : '',
      formToken: randomUUID(),
      notice: done && NOTICES[done.notice],
    };
  };
  const send: Pages['send'] = (reply, markup) =>
    reply
      .headers({ 'cache-control': 'no-store', vary: 'accept' })
      .type('text/html; charset=utf-8')
      .send(markup);

  const sayFailure: FailurePage = (request, reply, error) => {
    if (error.status === 422 && request.method === 'GET')
      return send(reply, wrongAddressPage(context(request), wrongAddressOf(request, error)));
    const text =
      error.status === 404
        ? 'This page or record does not exist, or is not yours.'
        : plainMessage(error.message);
    const title = TITLES[error.status] ?? 'Something went wrong';
    return send(reply, messagePage(context(request), { title, text, requestId: request.id }));
  };

  return {
    context,
    send,
    async answerFailure(error, request, reply) {
      if (wantsJson(request)) return answerFailure(error, request, reply);
      if (error.status >= 500) request.log.error({ err: error.cause ?? error }, error.message);
      reply.code(error.status).headers({ ...error.headers, 'x-request-id': request.id });
      const { failurePage, isForEverybody = false } = request.routeOptions.config;
      const isSignedIn = (request.session as FastifyRequest['session'] | undefined) !== undefined;
      if (error.code === 'unauthorized' && !isForEverybody) return reply.redirect(signInFor(request), 303);
      if (isUnreadForm(request, error))
        return sayFailure(request, reply, new AppError(error.code, UNREAD_FORM));
      if (failurePage && error.status !== 404 && (isSignedIn || isForEverybody))
        try {
          return await failurePage(request, reply, error);
        } catch (cause) {
          // The page around the form may need a service that is away too.
          if (!(cause instanceof AppError)) request.log.error({ err: cause }, 'A form can’t be shown again.');
        }
      return sayFailure(request, reply, error);
    },
  };
}

const UNREAD_FORM =
  'Nothing was saved, because what was sent is not plain text in UTF-8. Go back in your browser: what you typed is still there.';

/** A form that can't be read can't be shown again: an empty one would hide that something is lost. */
const isUnreadForm = ({ sent }: FastifyRequest, { code }: AppError) =>
  sent === undefined && (code === 'invalid_json' || code === 'unsupported_media_type');

const TITLES: Record<number, string> = {
  400: 'This can’t be read',
  415: 'This can’t be read',
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Not available right now',
};

/** Which parts of a query can't be read, and where the address without them leads. */
function wrongAddressOf({ query, routeOptions, url }: FastifyRequest, { errors = {} }: AppError) {
  const sent = query as Record<string, string | string[] | undefined>;
  const parts = Object.keys(errors).map((name) => `${name}=${[sent[name] ?? ''].flat().join(', ')}`);
  const { withoutQuery = 'Open the page without it' } = routeOptions.config;
  return { parts, link: { href: new URL(url, 'http://x').pathname, name: withoutQuery } };
}

/** Back to where somebody wanted to go, unless that was a change. */
const signInFor = ({ method, url }: FastifyRequest) =>
  method === 'GET' && url !== '/settings'
    ? `/settings/sign-in?next=${encodeURIComponent(url)}`
    : '/settings/sign-in';
