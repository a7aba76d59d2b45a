import type { FastifyReply } from 'fastify';

/**
 * Aborts when the client, or the gateway in its place, goes away before it has its answer. Fastify's own `request.signal` aborts as
 * soon as a body has been read, too.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  if (raw.destroyed) abort.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) abort.abort();
  });
  return abort.signal;
}
