import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createStreamShares } from '../../state/stream-shares.ts';
import type { PageContext } from '../../views/shared/page-context.ts';
import { readOnly } from '../../views/shared/suspended.view.ts';
import type { Pages } from './pages.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked again and again by a page that is open, which is no use of the session: it would never be over otherwise. */
    isLive?: boolean;
  }
}

export const READ_EVERY_MS = 1_000;
/** Then the browser comes again, which shows whether it is still signed in. */
const LASTS_MS = 60_000;
const COME_AGAIN_MS = 5_000;
const NO_CONTENT = 204;

/** What a route of a stream declares. Compressed, events would wait in the compressor. */
export const LIVE_ROUTE = {
  compress: false,
  config: { isLive: true },
  errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // Stops the browser: it is not signed in, or the record that it follows does not exist.
    if (error instanceof AppError && [401, 404, 422].includes(error.status))
      return void reply.code(NO_CONTENT).send();
    if (!(error instanceof AppError)) request.log.error({ err: error }, 'A stream could not begin.');
    return void comeAgain(reply);
  },
} as const;

const asEvents = (reply: FastifyReply) => reply.code(200).type('text/event-stream');

/** Nothing now. Browsers take no other answer than a stream for a reason to come again. */
const comeAgain = (reply: FastifyReply) => asEvents(reply).send(`retry: ${COME_AGAIN_MS}\n\n`);

/** Of the element that asks for the stream, or of several by their ids. */
type Markup = string | Record<string, string>;

const allReadOnly = (markup: Markup): Markup =>
  typeof markup === 'string'
    ? readOnly(markup)
    : Object.fromEntries(Object.entries(markup).map(([id, part]) => [id, readOnly(part)]));

/** Markup as browsers are sent it, for those of a suspended business read-only. */
export const eventOf = (markup: Markup, { isSuspended }: { isSuspended: boolean }): Buffer =>
  Buffer.from(`data: ${JSON.stringify(isSuspended ? allReadOnly(markup) : markup)}\n\n`);

export interface LiveStreams {
  /** Sends markup as server-sent events, now and whenever it has changed. */
  send(request: FastifyRequest, reply: FastifyReply, markup: MarkupOf, options?: StreamOptions): FastifyReply;
}

interface StreamOptions {
  /** How long until the next reading. */
  pauseMs?: () => number;
}

/** Markup for this browser alone, or an event that is made once for many browsers: a busy day's has a megabyte. */
type MarkupOf = (context: PageContext) => Promise<Markup | Buffer>;

/** Parts of pages that change by themselves. A stream ends with the session that it was asked for in. */
export function createLiveStreams(
  app: App,
  { isSignedIn, pages }: { isSignedIn: (request: FastifyRequest) => Promise<boolean>; pages: Pages },
): LiveStreams {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const shares = createStreamShares();

  async function* events(
    request: FastifyRequest,
    markup: MarkupOf,
    { signal, pauseMs }: Required<StreamOptions> & { signal: AbortSignal },
  ) {
    // One CSRF token for all of a stream: with another each time, everything would look changed.
    const context = pages.context(request);
    try {
      let shown: Buffer = Buffer.alloc(0);
      while (!signal.aborted && (await isSignedIn(request))) {
        const drawn = await markup(context);
        const event = Buffer.isBuffer(drawn) ? drawn : eventOf(drawn, request);
        if (!event.equals(shown)) yield event;
        shown = event;
        await pause(pauseMs(), undefined, { signal }).catch(() => {});
      }
    } catch (error) {
      // The record is gone, or its service away: the browser comes again and is answered by the route.
      if (!(error instanceof AppError)) throw error;
    }
  }

  return {
    send(request, reply, markup, { pauseMs = () => READ_EVERY_MS } = {}) {
      const gone = new AbortController();
      const giveBack = shares.take(request.session, () => gone.abort());
      if (!giveBack) return comeAgain(reply);
      request.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([closing.signal, gone.signal, AbortSignal.timeout(LASTS_MS)]);
      const stream = Readable.from(events(request, markup, { signal, pauseMs }));
      stream.once('close', giveBack);
      return asEvents(reply).send(stream);
    },
  };
}
