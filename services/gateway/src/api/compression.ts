import type { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import fastifyAccepts from '@fastify/accepts';
import fastifyCompress from '@fastify/compress';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NOT_CACHED } from './response-headers.ts';

/** Smaller answers fit one packet as they are. */
const THRESHOLD_BYTES = 1_024;
/** Answers in one piece are at most as large. Compressing one takes less than a millisecond; on another thread it would cost more. */
const AT_ONCE_BYTES = 64 * 1024;
/** Half the work of the usual levels, for a tenth more bytes. */
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 3;

/** Of those that a client likes equally, the first that it names; any will do: the first here, which every client reads. */
const ENCODINGS = ['gzip', 'zstd', 'br', 'identity'] as const;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Lets `sendCompressed` compress what the routes of this scope answer. */
export async function allowCompression(scope: App): Promise<void> {
  await scope.register(fastifyAccepts);
  await scope.register(fastifyCompress, {
    // Of an answer as it comes from a backend, the plugin can't see the size: which ones it compresses is said for each.
    global: false,
    encodings: [...ENCODINGS],
    threshold: THRESHOLD_BYTES,
    syncThreshold: AT_ONCE_BYTES,
    zlibOptions: { level: GZIP_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  scope.addHook('onSend', (_request, reply, payload, done) => {
    // The plugin adds what is there already, in other letters.
    const vary = reply.getHeader('vary');
    if (typeof vary === 'string') reply.header('vary', vary.replace(/, accept-encoding$/, ''));
    done(null, payload);
  });
  scope.addHook('onError', (_request, reply, _error, done) => {
    // A failure instead of an answer that broke off before a byte of it was sent: as its stream began, these were set for good.
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

/** Whether an answer may be compressed that has so many bytes, null for any number; and by what: null for not at all. */
export function encodingFor(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number | null,
): string | null {
  if (bytes !== null && bytes < THRESHOLD_BYTES) return null;
  const isJson = JSON_TYPE.test(String(reply.getHeader('content-type')));
  if (!isJson || reply.hasHeader('content-encoding')) return null;
  // The plugin heeds it as well, but only once the answer has its headers.
  if (request.headers['x-no-compression'] !== undefined) return null;
  const encoding = request.encodings([...ENCODINGS]);
  return encoding === false || encoding === 'identity' ? null : encoding;
}

/** Sends an answer in this encoding; none of its bytes to HEAD. */
export function sendCompressed(reply: FastifyReply, content: Buffer | Readable, encoding: string): void {
  const { request } = reply;
  if (request.method === 'HEAD') {
    // How long it would be is not known.
    reply.header('content-encoding', encoding).removeHeader('content-length').send();
    return;
  }
  // The plugin chooses among the encodings that the request names.
  request.headers = { ...request.headers, 'accept-encoding': encoding };
  reply.compress(content);
}
