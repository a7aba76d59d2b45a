import type { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import fastifyAccepts from '@fastify/accepts';
import fastifyCompress from '@fastify/compress';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NOT_CACHED } from './response-headers.ts';

/** Smaller answers fit one packet as they are. */
const THRESHOLD_BYTES = 1_024;
/** Answers up to this size are compressed in one call: under a millisecond, less than another thread costs. */
const AT_ONCE_BYTES = 64 * 1024;
/** Half the work of the usual levels, for a tenth more bytes. */
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 3;

/** Our order of preference, for a client that accepts `*`; else the client's order decides. */
const ENCODINGS = ['gzip', 'zstd', 'br', 'identity'] as const;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Lets `sendCompressed` compress what the routes of this scope answer. */
export async function allowCompression(scope: App): Promise<void> {
  await scope.register(fastifyAccepts);
  await scope.register(fastifyCompress, {
    // The plugin can't see the size of a streamed answer: `encodingFor` decides for each.
    global: false,
    encodings: [...ENCODINGS],
    threshold: THRESHOLD_BYTES,
    syncThreshold: AT_ONCE_BYTES,
    zlibOptions: { level: GZIP_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  scope.addHook('onSend', (_request, reply, payload, done) => {
    // The plugin adds `accept-encoding` although `Accept-Encoding` is there.
    const vary = reply.getHeader('vary');
    if (typeof vary === 'string') reply.header('vary', vary.replace(/, accept-encoding$/, ''));
    done(null, payload);
  });
  scope.addHook('onError', (_request, reply, _error, done) => {
    // The stream broke before its first byte: drop the headers that described it.
    if (!reply.raw.headersSent) {
      for (const name of ['content-encoding', 'etag']) {
        reply.removeHeader(name);
        reply.raw.removeHeader(name);
      }
      reply.headers(NOT_CACHED);
    }
    done();
  });
}

/** The encoding to compress an answer with; null: none. `bytes` is null where the size is not known. */
export function encodingFor(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number | null,
): string | null {
  if (bytes !== null && bytes < THRESHOLD_BYTES) return null;
  const isJson = JSON_TYPE.test(String(reply.getHeader('content-type')));
  if (!isJson || reply.hasHeader('content-encoding')) return null;
  // The plugin respects it too, but only after the answer has got its headers.
  if (request.headers['x-no-compression'] !== undefined) return null;
  const encoding = request.encodings([...ENCODINGS]);
  return encoding === false || encoding === 'identity' ? null : encoding;
}

/** Sends an answer in this encoding; to HEAD only its headers. */
export function sendCompressed(reply: FastifyReply, content: Buffer | Readable, encoding: string): void {
  const { request } = reply;
  if (request.method === 'HEAD') {
    // The compressed length is unknown.
    reply.header('content-encoding', encoding).removeHeader('content-length').send();
    return;
  }
  // The plugin chooses among the encodings that the request names.
  request.headers = { ...request.headers, 'accept-encoding': encoding };
  reply.compress(content);
}
