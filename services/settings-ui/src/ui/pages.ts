import type { ErrorCode } from '@frontdesk/contracts';
import { AppError, answerError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csrfTokenOf } from '../forms/csrf.ts';
import { newFormToken } from '../forms/form-token.rules.ts';
import { sentForm } from '../forms/sent-form.rules.ts';
import { wantsJson } from './accept.ts';
import type { Assets } from './assets.ts';
import { confirmPageOf } from './confirm-page.ts';
import { errorText } from './form-errors.ts';
import { html } from './html.ts';
import { addressOfMerged, redirectToMerged } from './merged-record.ts';
import { messagePage, wrongAddressPage } from './message.view.ts';
import { doneOf, NOTICES } from './notices.rules.ts';
import type { PageContext } from './page-context.ts';
import { mayUseRoute, notOfRole } from './page-scopes.rules.ts';

export type ErrorPage = (request: FastifyRequest, reply: FastifyReply, error: AppError) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shows a form again that could not be taken, with what was typed and what is wrong. */
    errorPage?: ErrorPage;
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
  answerError: (error: AppError, request: FastifyRequest, reply: FastifyReply) => unknown;
}

export function createPages(assets: Assets): Pages {
  const context: Pages['context'] = (request) => {
    const session = request.session as FastifyRequest['session'] | undefined;
    const done = doneOf(sentForm.parse(request.query).done);
    return {
      asset: assets.url,
      email: session?.email ?? null,
      businessName: session ? request.businessName : null,
      hasOtherBusinesses: session?.hasOtherBusinesses ?? false,
      scopes: session?.scopes ?? [],
      isSuspended: session !== undefined && request.isSuspended,
      csrfToken: session ? csrfTokenOf(session.csrfSecret) : '',
      formToken: session ? newFormToken(session.csrfSecret, Date.now()) : '',
      notice: done && NOTICES[done.notice],
      done,
    };
  };
  const send: Pages['send'] = (reply, markup) =>
    reply
      .headers({ 'cache-control': 'no-store', vary: 'accept' })
      .type('text/html; charset=utf-8')
      .send(markup);

  const sayFailure: ErrorPage = (request, reply, error) => {
    if (error.status === 422 && request.method === 'GET')
      return send(reply, wrongAddressPage(context(request), wrongAddressOf(request, error)));
    const address = addressOfMerged(request, error);
    if (address !== null && request.method === 'GET') return redirectToMerged(reply, address);
    const text =
      address !== null
        ? html`Nothing was saved: this customer has been merged into another one meanwhile. <a href="${address}">Open that
customer</a>. What you typed is still in the form that you sent.`
        : error.status === 404
          ? 'This page or record does not exist, or is not yours.'
          : errorText(error);
    const title = TITLES[error.status] ?? 'Something went wrong';
    return send(reply, messagePage(context(request), { title, text, requestId: request.id }));
  };

  return {
    context,
    send,
    async answerError(answered, request, reply) {
      const failure = inWordsOfRoles(answered);
      if (wantsJson(request))
        return answerError(failure, request, reply, failure.faults && { words: errorText(failure) });
      const error = request.formTakenOn === undefined ? failure : perhapsDone(failure);
      if (error.status >= 500) request.log.error({ err: error.cause ?? error }, error.message);
      reply.code(error.status).headers({ ...error.headers, 'x-request-id': request.id });
      const { errorPage, isForEverybody = false } = request.routeOptions.config;
      const session = request.session as FastifyRequest['session'] | undefined;
      // What the role doesn't open isn't shown around a refusal either.
      const isShown = isForEverybody || (session !== undefined && mayUseRoute(session, request));
      if (error.code === 'business_required') return reply.redirect(signInFor(request, '/business'), 303);
      if (error.code === 'unauthorized' && !isForEverybody) return reply.redirect(signInFor(request), 303);
      if (isUnreadForm(request, error))
        return sayFailure(request, reply, new AppError(error.code, UNREAD_FORM));
      if (request.isUnconfirmed) return send(reply, confirmPageOf(context(request), request, error));
      if (errorPage && error.status !== 404 && isShown)
        try {
          return await errorPage(request, reply, error);
        } catch (cause) {
          // The page around the form may need a service that is away too.
          if (!(cause instanceof AppError)) request.log.error({ err: cause }, 'A form can’t be shown again.');
        }
      return sayFailure(request, reply, error);
    },
  };
}

/** What a service refuses for a scope, people know by their role. */
const inWordsOfRoles = (error: AppError): AppError =>
  error.code === 'insufficient_scope' ? notOfRole(error) : error;

const FAILED: Partial<Record<ErrorCode, string>> = {
  service_unavailable: 'A part of the system is not available.',
  upstream_timeout: 'A part of the system took too long.',
};
const LOOK_FIRST = 'It may have been done anyway: check first, and send it again only if it wasn’t.';

/** After a failure nobody knows whether what is done once was done: the form comes back with another token. */
const perhapsDone = (error: AppError): AppError =>
  error.status < 500
    ? error
    : new AppError(error.code, `${FAILED[error.code] ?? 'Something went wrong.'} ${LOOK_FIRST}`, {
        cause: error.cause ?? error,
        headers: error.headers,
      });

const UNREAD_FORM =
  'Nothing was saved, because what was sent is not plain text in UTF-8. ' +
  'Go back in your browser: what you typed is still there.';

/** A form that can't be read can't be shown again: an empty one would hide that something is lost. */
const isUnreadForm = ({ sent }: FastifyRequest, { code }: AppError) =>
  sent === undefined && (code === 'invalid_json' || code === 'unsupported_media_type');

const TITLES: Record<number, string> = {
  400: 'This can’t be read',
  415: 'This can’t be read',
  403: 'Not allowed',
  404: 'Not found',
  410: 'Nothing saved yet',
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

const SIGN_IN = '/settings/sign-in';

/** Back to where somebody wanted to go, unless that was a change. A page of the sign-in says it itself. */
function signInFor({ method, url, query, sent }: FastifyRequest, step = ''): string {
  const isStep = url.startsWith(SIGN_IN);
  const next = method !== 'GET' ? sent?.next : isStep ? sentForm.parse(query).next : url;
  const path = `${SIGN_IN}${step}`;
  return typeof next === 'string' && next !== '/settings' ? `${path}?next=${encodeURIComponent(next)}` : path;
}
