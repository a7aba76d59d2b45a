import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, AppError, answerError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageContext } from '../ui/page-context.ts';
import type { Pages } from '../ui/pages.ts';
import { createStreamShares } from './stream-shares.limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Asked again and again by a page that is open, which is no use of the session: it would never be over otherwise.
     */
    isLive?: boolean;
  }
}

export const READ_EVERY_MS = 1_000;
/**
 * Says that nothing has changed, so that a page knows it is up to date: live.js waits for a bit more than two of them.
 */
export const BEAT_EVERY_MS = 5_000;
const BEAT = Buffer.from('event: beat\ndata: 1\n\n');
/** Then the browser comes again, which shows whether it is still signed in. */
const LASTS_MS = 60_000;
export const COME_AGAIN_MS = 5_000;
const NO_CONTENT = 204;

/** What a route of a stream declares. Compressed, events would wait in the compressor. */
export const LIVE_ROUTE = {
  compress: false,
  config: { isLive: true },
  errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // Stops the browser: it is not signed in, its role has changed, or the record that it follows does not exist.
    if (error instanceof AppError && [401, 403, 404, 422].includes(error.status))
      return void reply.code(NO_CONTENT).send();
    // Browsers give up on it; live.js asks why, and waits as long as it is told to.
    if (error instanceof AppError && error.code === 'rate_limited')
      return void answerError(error, request, reply);
    if (!(error instanceof AppError)) request.log.error({ err: error }, 'A stream could not begin.');
    return void comeAgain(reply);
  },
} as const;

const asEvents = (reply: FastifyReply) => reply.code(200).type('text/event-stream');

/**
 * An empty stream that tells the browser when to reconnect. A browser reconnects after a stream, and after no other
 * kind of answer.
 */
const comeAgain = (reply: FastifyReply) => asEvents(reply).send(`retry: ${COME_AGAIN_MS}\n\n`);

/** Of the element that asks for the stream, or of several by their ids. */
type Markup = string | Record<string, string>;

/** Markup as browsers are sent it. */
export const eventOf = (markup: Markup): Buffer => Buffer.from(`data: ${JSON.stringify(markup)}\n\n`);

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

interface Place {
  /** Aborted when the browser has gone, or the place goes to another tenant. */
  ended: AbortSignal;
  giveBack: () => void;
}

/**
 * Parts of pages that change by themselves. A stream ends with the session that it was asked for in. Register it right
 * behind `requireSession`: each stream takes its place before anything else is asked for it, and keeps it until all of
 * that has ended, also where the browser has gone early.
 */
export function createLiveStreams(
  app: App,
  { isSignedIn, pages }: { isSignedIn: (request: FastifyRequest) => Promise<boolean>; pages: Pages },
): LiveStreams {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const shares = createStreamShares();
  const places = new WeakMap<FastifyRequest, Place>();

  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.isLive) return;
    const ending = new AbortController();
    const giveBack = shares.take(request.session, () => ending.abort());
    if (!giveBack) return comeAgain(reply);
    reply.raw.once('close', () => ending.abort());
    places.set(request, { ended: ending.signal, giveBack });
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    const place = places.get(request);
    if (!place) return;
    if (payload instanceof Readable && !payload.closed) payload.once('close', place.giveBack);
    else place.giveBack();
  });

  async function* events(
    request: FastifyRequest,
    markup: MarkupOf,
    { signal, pauseMs }: Required<StreamOptions> & { signal: AbortSignal },
  ) {
    // One CSRF token for all of a stream: with another each time, everything would look changed.
    const context = pages.context(request);
    try {
      let shown: Buffer = Buffer.alloc(0);
      let saidAt = 0;
      while (!signal.aborted && (await isSignedIn(request))) {
        const drawn = await markup(context);
        const event = Buffer.isBuffer(drawn) ? drawn : eventOf(drawn);
        const isNew = !event.equals(shown);
        if (isNew || performance.now() - saidAt >= BEAT_EVERY_MS) {
          saidAt = performance.now();
          yield isNew ? event : BEAT;
        }
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
      const place = places.get(request);
      if (!place) throw new Error('A route of a stream must be declared as LIVE_ROUTE.');
      const signal = AbortSignal.any([closing.signal, place.ended, AbortSignal.timeout(LASTS_MS)]);
      return asEvents(reply).send(Readable.from(events(request, markup, { signal, pauseMs })));
    },
  };
}
