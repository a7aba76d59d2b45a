import { ingestPath, MAX_INGEST_BYTES, receivedMessage } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RawMessage } from '../providers/call-provider.rules.ts';
import { type ReceiveDeps, receiveMessage, refuseTooLarge } from './receive-message.ts';

/** What is no token, NUL above all, is not even looked for. */
const params = z.object({ token: z.string().regex(/^[0-9A-Za-z]+$/) });

/** Where providers send their messages. Who they are is in the address and the signature: there is no identity. */
export function ingestRoutes(app: App, deps: ReceiveDeps & { publicUrl: string }): void {
  // Signatures cover the bytes as they came, whatever they are. Fastify refuses a type that it can't make out, so it is
  // shown one that it can; what came stays in the raw headers.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request) => {
    request.headers = { 'content-type': 'application/octet-stream' };
  });

  app.post(
    ingestPath(':token'),
    {
      bodyLimit: MAX_INGEST_BYTES,
      config: { resource: 'Call source' },
      schema: { params, response: { 202: receivedMessage } },
      async onError(request, _reply, { code }) {
        const { success, data } = params.safeParse(request.params);
        // The count is no reason for another answer.
        if (success && code === 'FST_ERR_CTP_BODY_TOO_LARGE')
          await refuseTooLarge(deps, data.token).catch((error) =>
            request.log.warn({ err: error }, 'a refused message was not counted'),
          );
      },
    },
    async (request, reply) => {
      reply.code(202);
      const message = rawMessage(request, deps.publicUrl);
      return ok(
        await receiveMessage(deps, request.params.token, { ...message, isTest: isTest(message.url) }),
      );
    },
  );
}

/** Whatever else stands in the query is the sender's. */
const isTest = (url: string) => new URLSearchParams(url.split('?').slice(1).join('?')).get('test') === 'true';

function rawMessage({ body, raw }: FastifyRequest, publicUrl: string): RawMessage {
  const headers = Object.entries(raw.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    contentType: raw.headers['content-type'] ?? '',
    contentEncoding: raw.headers['content-encoding'] ?? '',
    headers: Object.fromEntries(headers),
    url: publicUrl + raw.url,
    receivedAt: new Date(),
  };
}
