import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

const LOOK_EVERY_MS = 1_000;
/** Then the browser comes again, which shows whether it is still signed in. */
const LASTS_MS = 60_000;
/** Each of them asks the webhooks service every second; who finds no room reloads the page. */
const MAX_STREAMS = 100;
const NO_CONTENT = 204;

/** What a route of a stream declares. Compressed, events would wait in the compressor. */
export const LIVE_ROUTE = {
  compress: false,
  // Tells a browser to come no more, with whoever is not signed in any more for example.
  errorHandler: (_error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
    void reply.code(NO_CONTENT).send(),
} as const;

export interface LiveStreams {
  /** Sends markup as server-sent events, now and whenever it has changed. */
  send(request: FastifyRequest, reply: FastifyReply, markup: () => Promise<string>): FastifyReply;
}

/** Parts of pages that change by themselves. A stream ends with the session that it was asked for in. */
export function createLiveStreams(
  app: App,
  { isSignedIn }: { isSignedIn: (request: FastifyRequest) => Promise<boolean> },
): LiveStreams {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  let streams = 0;

  async function* events(request: FastifyRequest, markup: () => Promise<string>, signal: AbortSignal) {
    streams += 1;
    try {
      let shown = '';
      while (!signal.aborted && (await isSignedIn(request))) {
        const current = await markup();
        if (current !== shown) yield `data: ${JSON.stringify(current)}\n\n`;
        shown = current;
        await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      }
    } catch (error) {
      // What is shown is gone, or can't be told: the browser comes again and is answered by the route.
      if (!(error instanceof AppError)) throw error;
    } finally {
      streams -= 1;
    }
  }

  return {
    send(request, reply, markup) {
      if (streams >= MAX_STREAMS) return reply.code(NO_CONTENT).send();
      const gone = new AbortController();
      request.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([closing.signal, gone.signal, AbortSignal.timeout(LASTS_MS)]);
      return reply
        .headers({ 'cache-control': 'no-store' })
        .type('text/event-stream')
        .send(Readable.from(events(request, markup, signal)));
    },
  };
}
