import { dataOf, ingestPath, MAX_INGEST_BYTES } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RawMessage } from '../domain/call-provider.ts';
import { type ReceiveDeps, receiveMessage } from '../use-cases/receive-message.ts';

const params = z.object({ token: z.string() });
const received = dataOf(z.object({ id: z.int(), status: z.literal('received') }));

/** Where providers send their messages. Who they are is in the address and the signature: there is no identity. */
export function ingestRoutes(app: App, deps: ReceiveDeps & { publicUrl: string }): void {
  // Signatures cover the bytes as they came, whatever they are.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post(
    ingestPath(':token'),
    {
      bodyLimit: MAX_INGEST_BYTES,
      config: { resource: 'Call source' },
      schema: { params, response: { 202: received } },
    },
    async (request, reply) => {
      reply.code(202);
      return ok(await receiveMessage(deps, request.params.token, rawMessage(request, deps.publicUrl)));
    },
  );
}

function rawMessage(request: FastifyRequest, publicUrl: string): RawMessage {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    contentType: request.headers['content-type'] ?? '',
    headers: Object.fromEntries(headers),
    url: publicUrl + request.raw.url,
    receivedAt: new Date(),
  };
}
