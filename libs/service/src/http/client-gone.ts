import type { FastifyReply } from 'fastify';

/**
 * A signal that aborts when the connection closes before the whole answer is sent: the client, or the gateway for it, has
 * gone. Fastify's own `request.signal` also aborts once the request's body has been read.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  if (raw.destroyed) abort.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) abort.abort();
  });
  return abort.signal;
}
