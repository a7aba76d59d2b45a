import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MOST_UNDER_WAY } from './server-limits.ts';

interface HookedApp {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
}

/**
 * Ends connections on which too many requests are under way. Node starts every request that it has read, so one connection
 * could bring any number of them before its first answer, and keep all other clients waiting.
 */
export function boundPipelining(app: HookedApp): void {
  const underWay = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    reply.raw.once('close', () => underWay.set(socket, (underWay.get(socket) as number) - 1));
    if (count > MOST_UNDER_WAY) socket.destroy();
    // What was read with those before goes no further.
    if (!socket.destroyed) done();
  });
}
