import { Transform, type TransformCallback } from 'node:stream';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { HolderBound, MemoryBudget, Share } from './body-memory.limits.ts';
import { clientClosed, unavailable } from './errors.rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds that the request had taken before its body was read. */
    spentMs: number;
  }
}

/** This much of a refused body is read and dropped: a client whose connection closes while it sends may never see its answer. */
const MAX_DROPPED_BYTES = 8 * 1024 * 1024;
/** The first buffer of a body, unless a smaller length was announced. */
const FIRST_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** The slowest pace of a body: so many bytes in each so many milliseconds, unless it ends. */
export interface Pace {
  bytes: number;
  everyMs: number;
}

interface BodyOptions {
  budget: MemoryBudget;
  maxBytes: number;
  /** The holders that the memory of a request's body counts against. */
  boundsOf: (request: FastifyRequest) => readonly HolderBound[];
  pace: Pace;
}

/**
 * Lets Fastify read the whole body, unchanged, before a backend is called. A slow upload so occupies memory of its tenant, source or
 * address, and no connection to a backend. The backend judges the content. A body that is too large gets 413, one for which there is
 * no memory 503, and one that comes below the pace 408.
 */
export const readBodies = fp(async (app: App, { budget, maxBytes, boundsOf, pace }: BodyOptions) => {
  app.decorateRequest('spentMs', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body: Buffer, done) =>
    done(null, body),
  );
  app.addHook('preParsing', (request, reply, payload, done) => {
    request.spentMs = reply.elapsedTime;
    const { method, raw } = request;
    const { 'content-length': length, 'transfer-encoding': coding, 'content-type': type } = raw.headers;
    // Fastify refuses a Content-Type that it can't parse, but accepts a body without one.
    if (type !== undefined && request.mediaType === undefined)
      request.headers = { 'content-type': undefined };
    // A GET or HEAD is sent on without its body.
    const announced = Number(length ?? 0);
    if (method === 'GET' || method === 'HEAD' || (announced === 0 && coding === undefined))
      return done(null, payload);
    if (announced > maxBytes) {
      if (announced <= MAX_DROPPED_BYTES) dropBody(reply);
      else reply.header('connection', 'close');
      return done(payloadTooLarge());
    }
    if (raw.destroyed) return done(clientClosed());
    const share = budget.open(boundsOf(request));
    const body = new BoundedBody({ announced, maxBytes, share, pace });
    reply.raw.once('close', () => {
      body.destroy();
      share.release();
    });
    payload.pipe(body);
    payload.once('close', () => {
      if (!raw.complete) body.destroy(clientClosed());
    });
    done(null, body);
  });
});

interface BoundsOfBody {
  announced: number;
  maxBytes: number;
  share: Share;
  pace: Pace;
}

/**
 * Keeps a body until it has come whole, in one buffer that doubles as it fills: a body that comes byte by byte takes no more memory
 * than one that comes at once.
 */
class BoundedBody extends Transform {
  /** Here Fastify reads how many bytes have come. */
  receivedEncodedLength = 0;
  readonly #options: BoundsOfBody;
  readonly #timer: NodeJS.Timeout;
  #buffer = NOTHING;
  #length = 0;
  #refusal: AppError | null = null;

  constructor(options: BoundsOfBody) {
    super();
    this.#options = options;
    // Fastify gets the error too. Without a listener of its own it could end the process.
    this.on('error', () => {});
    const { bytes, everyMs } = options.pace;
    let before = 0;
    this.#timer = setInterval(() => {
      if (this.receivedEncodedLength - before < bytes) this.destroy(tooSlow());
      before = this.receivedEncodedLength;
    }, everyMs);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedEncodedLength += chunk.length;
    this.#refusal ??= this.#add(chunk);
    if (this.#refusal) this.#drop();
    done(this.receivedEncodedLength > MAX_DROPPED_BYTES ? this.#refusal : null);
  }

  override _flush(done: TransformCallback): void {
    // Fastify has the body from here on. Its memory stays counted until the answer has been sent.
    const whole = this.#buffer.subarray(0, this.#length);
    this.#buffer = NOTHING;
    done(this.#refusal, whole);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#timer);
    if (error) this.#drop();
    done(error);
  }

  /** @returns the refusal of a body that can't be kept */
  #add(chunk: Buffer): AppError | null {
    const { announced, maxBytes, share } = this.#options;
    const needed = this.#length + chunk.length;
    if (needed > maxBytes) return payloadTooLarge();
    if (needed > this.#buffer.length) {
      const atLeast = Math.max(needed, 2 * this.#buffer.length, Math.min(announced, FIRST_BYTES));
      const size = Math.min(atLeast, announced || maxBytes);
      if (!share.hold(size - this.#buffer.length)) return unavailable('too many bodies are held');
      const larger = Buffer.allocUnsafeSlow(size);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += chunk.copy(this.#buffer, this.#length);
    return null;
  }

  #drop(): void {
    this.#buffer = NOTHING;
    this.#length = 0;
    this.#options.share.release();
  }
}

/** Reads and drops a body, so that its refusal can be sent at once. A connection that was to close does so after the body's end. */
function dropBody({ raw, request }: FastifyReply): void {
  request.raw.resume();
  if (raw.shouldKeepAlive) return;
  raw.shouldKeepAlive = true;
  request.raw.once('end', () => request.raw.socket.end());
}

const payloadTooLarge = () => new AppError('payload_too_large', 'The request body is too large.');
const tooSlow = () => new AppError('request_timeout', 'The request did not arrive in time.');
