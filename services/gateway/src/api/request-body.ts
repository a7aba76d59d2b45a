import type { IncomingMessage } from 'node:http';
import { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { gone, unavailable } from '../clients/failures.ts';
import type { HolderBound, MemoryBudget, Share } from '../state/memory-budget.ts';

/** So much of a refused body is read and dropped: a client whose connection closes while it sends may never see its answer. */
const MAX_DROPPED_BYTES = 8 * 1024 * 1024;
/** A body takes this much at first, and no more than was announced. */
const FIRST_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** The bytes of a request's body as they came, or null where there is none. What is in it is the backend's to judge. */
export type BodyReader = (request: FastifyRequest, reply: FastifyReply) => Promise<Buffer | null>;

/** The slowest that a body may come: so many bytes in each so many milliseconds, or its end. */
interface Pace {
  bytes: number;
  everyMs: number;
}

/**
 * Reads whole bodies, so that a slow upload holds memory of its holders' part and no connection to a backend. It throws
 * `payload_too_large`, `service_unavailable` when the budget is used up, `request_timeout` below the pace, and
 * what nobody hears when the client goes away while sending.
 */
export function createBodyReader(options: {
  budget: MemoryBudget;
  maxBytes: number;
  /** Whose parts of the memory a request's body takes. */
  boundsOf: (request: FastifyRequest) => readonly HolderBound[];
  pace?: Pace;
}): BodyReader {
  const { budget, maxBytes, boundsOf, pace } = options;
  return async (request, reply) => {
    const { method, raw } = request;
    const { 'content-length': length, 'transfer-encoding': coding } = raw.headers;
    // A GET or HEAD is sent on without its body.
    if (method === 'GET' || method === 'HEAD' || (length === undefined && coding === undefined)) return null;
    const announced = Number(length ?? 0);
    if (announced > maxBytes) {
      if (announced <= MAX_DROPPED_BYTES) dropBody(reply);
      else reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    const share = budget.open(boundsOf(request));
    reply.raw.once('close', share.release);
    try {
      return await collected(raw, { announced, maxBytes, share, pace });
    } catch (error) {
      if (!raw.complete) reply.header('connection', 'close');
      throw error;
    }
  };
}

function collected(
  payload: IncomingMessage,
  options: { announced: number; maxBytes: number; share: Share; pace: Pace | undefined },
): Promise<Buffer> {
  const { announced, maxBytes, share, pace } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const bytes = createByteStore(Math.min(announced, FIRST_BYTES), announced || maxBytes, share);
  let refusal: AppError | null = null;
  let received = 0;
  const take = (chunk: Buffer) => {
    received += chunk.length;
    if (!refusal && received > maxBytes) refusal = payloadTooLarge();
    if (!refusal && !bytes.add(chunk)) refusal = unavailable('too many bodies are held');
    if (refusal) bytes.drop();
    if (refusal && received > MAX_DROPPED_BYTES) stop(refusal);
  };
  const stop = (reason: AppError) => {
    payload.off('data', take).pause();
    bytes.drop();
    reject(reason);
  };

  if (payload.destroyed) reject(gone());
  payload.once('end', () => (refusal ? reject(refusal) : resolve(bytes.whole())));
  payload.once('close', () => reject(gone())).on('data', take);
  return pace ? atPace(promise, pace, () => received, stop) : promise;
}

/** The same, ended when less than its pace has come. */
function atPace<Result>(
  work: Promise<Result>,
  pace: Pace,
  received: () => number,
  stop: (reason: AppError) => void,
): Promise<Result> {
  let before = 0;
  const timer = setInterval(() => {
    if (received() - before < pace.bytes) stop(tooSlow());
    before = received();
  }, pace.everyMs);
  return work.finally(() => clearInterval(timer));
}

/** Reads and drops what comes of a body, so that its refusal can be sent at once. The connection ends after it, if at all. */
function dropBody({ raw, request }: FastifyReply): void {
  request.raw.resume();
  if (raw.shouldKeepAlive) return;
  raw.shouldKeepAlive = true;
  request.raw.once('end', () => request.raw.socket.end());
}

/** One buffer that doubles as it fills: a body that comes byte by byte takes no more memory than one that comes at once. */
function createByteStore(firstBytes: number, mostBytes: number, share: Share) {
  let buffer = NOTHING;
  let length = 0;
  return {
    add(chunk: Buffer): boolean {
      const needed = length + chunk.length;
      if (needed > buffer.length) {
        const size = Math.min(Math.max(needed, 2 * buffer.length, firstBytes), mostBytes);
        if (!share.hold(size - buffer.length)) return false;
        const larger = Buffer.allocUnsafeSlow(size);
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      chunk.copy(buffer, length);
      length = needed;
      return true;
    },
    whole: () => buffer.subarray(0, length),
    drop(): void {
      buffer = NOTHING;
      length = 0;
      share.release();
    },
  };
}

const payloadTooLarge = () => new AppError('payload_too_large', 'The request body is too large.');
const tooSlow = () => new AppError('request_timeout', 'The request did not arrive in time.');
