import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MOST_IN_FLIGHT } from './server-limits.ts';

interface HookedApp {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
}

/**
 * Ends connections on which too many requests are in flight. Node starts every request that it has read, so one connection
 * could bring any number of them before its first answer, and keep all other clients waiting.
 */
export function boundPipelining(app: HookedApp): void {
  const inFlight = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = (inFlight.get(socket) ?? 0) + 1;
    inFlight.set(socket, count);
    reply.raw.once('close', () => inFlight.set(socket, (inFlight.get(socket) as number) - 1));
    if (count > MOST_IN_FLIGHT) socket.destroy();
    // What was read with those before goes no further.
    if (!socket.destroyed) done();
  });
}
