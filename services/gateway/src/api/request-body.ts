import type { IncomingMessage } from 'node:http';
import { AppError } from '@frontdesk/service';
import { gone, unavailable } from '../clients/failures.ts';
import type { MemoryBudget, Share } from '../domain/memory-budget.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Up to here the rest of a body that is refused is read and dropped: a client that finds the connection closed while it still
 * sends may never see the answer.
 */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
/** A body takes this much at first, and no more than was announced. */
const FIRST_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** The bytes of a request's body as they came, or null where there is none. What is in it is the backend's to judge. */
export type BodyReader = (context: RequestContext) => Promise<Buffer | null>;

/** The slowest that a body may come: so many bytes in each so many milliseconds, or its end. */
interface Pace {
  bytes: number;
  everyMs: number;
}

interface Limits {
  maxBytes: number;
  /** How much of a body that is refused is read all the same. */
  discardBytes: number;
  pace?: Pace | undefined;
  /** The answer to a body of more than `maxBytes`. */
  tooLarge: () => AppError;
}

/**
 * Reads whole bodies, so that a slow upload holds memory of its holder's part and no connection to a backend. It throws
 * what `tooLarge` says, `service_unavailable` when there is no room in the budget, `request_timeout` below the pace, and
 * what nobody hears when the client goes away while sending.
 */
export function createBodyReader(options: {
  budget: MemoryBudget;
  maxBytes: number;
  /** Whose part of the memory a request's body takes. */
  holderOf: (context: RequestContext) => number | string;
  discardBytes?: number;
  pace?: Pace;
  tooLarge?: () => AppError;
}): BodyReader {
  const { budget, maxBytes, holderOf, pace } = options;
  const { discardBytes = MAX_DISCARDED_BYTES, tooLarge = payloadTooLarge } = options;
  const limits = { maxBytes, discardBytes, pace, tooLarge };
  return async (context) => {
    const { method, request, response } = context;
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    // A GET or HEAD is sent on without its body.
    if (method === 'GET' || method === 'HEAD' || (length === undefined && coding === undefined)) return null;
    const announced = Number(length ?? 0);
    if (announced > maxBytes && announced <= discardBytes) {
      dropBody(context);
      throw tooLarge();
    }
    const share = budget.open(holderOf(context));
    response.once('close', share.release);
    try {
      return await collected(request, { announced, limits, share });
    } catch (error) {
      if (!request.complete) context.headers.connection = 'close';
      throw error;
    }
  };
}

/** Reads and drops what comes of a body, so that its refusal can be sent at once. The connection ends after it, if at all. */
function dropBody({ request, response }: RequestContext): void {
  request.resume();
  if (response.shouldKeepAlive) return;
  response.shouldKeepAlive = true;
  request.once('end', () => request.socket.end());
}

function collected(
  payload: IncomingMessage,
  options: { announced: number; limits: Limits; share: Share },
): Promise<Buffer> {
  const { announced, limits, share } = options;
  const { maxBytes, discardBytes, pace, tooLarge } = limits;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const mostBytes = Math.min(announced || maxBytes, maxBytes);
  const bytes = createByteStore(Math.min(announced, FIRST_BYTES), mostBytes, share);
  let refusal = announced > maxBytes ? tooLarge() : null;
  let received = 0;
  const evicted = () => {
    refusal ??= unavailable('another body took the room');
    bytes.drop();
  };
  // By name: written right here, V8 would keep it, and with it the body, among its long-lived objects.
  share.onEvicted = evicted;
  const take = (chunk: Buffer) => {
    received += chunk.length;
    if (!refusal && received > maxBytes) refusal = tooLarge();
    if (!refusal && !bytes.add(chunk)) refusal = unavailable('too many bodies are held');
    if (refusal) bytes.drop();
    if (refusal && received > discardBytes) stop(refusal);
  };
  const stop = (reason: AppError) => {
    payload.off('data', take).pause();
    bytes.drop();
    reject(reason);
  };

  if (refusal && announced > discardBytes) reject(refusal);
  else if (payload.destroyed) reject(gone());
  else {
    payload.once('end', () => (refusal ? reject(refusal) : resolve(bytes.whole())));
    payload.once('close', () => reject(gone())).on('data', take);
  }
  return pace ? kept(promise, pace, () => received, stop) : promise;
}

/** The same, ended when less than its pace has come. */
function kept<Result>(
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
    whole(): Buffer {
      share.settle();
      return buffer.subarray(0, length);
    },
    drop(): void {
      buffer = NOTHING;
      length = 0;
      share.release();
    },
  };
}

const payloadTooLarge = () => new AppError('payload_too_large', 'The request body is too large.');
const tooSlow = () => new AppError('request_timeout', 'The request did not arrive in time.');
