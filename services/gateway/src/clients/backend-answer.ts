import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AnswerPlace } from './answer-room.ts';
import { unavailable } from './failures.ts';

/** So much of a body is held before anybody takes it. */
const HELD_BYTES = 64 * 1024;

/** A backend's answer from the moment that it has begun. Its body has to be sent on or dropped. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body's length where all of it has come already; null otherwise, and where there is none. */
  length(): number | null;
  /**
   * What there is of the body when it has ended or 64 KiB of it have come. It can be sent on all the same.
   * @throws AppError 503 where it is cut off before
   */
  beginning(): Promise<Buffer>;
  /** Sends the body on and ends the client's answer with it; one that is cut off cuts it off too. */
  sendBody(client: ServerResponse): void;
  drop(): void;
}

/** The side of an answer that the connection to the backend feeds. */
export interface IncomingAnswer extends Answer {
  add(chunk: Buffer): void;
  end(): void;
  fail(): void;
}

/** How a client may take an answer. */
export interface Taking {
  /** Who takes longer over it doesn't read it, and would keep a connection to the backend from others, or memory. */
  takenWithinMs: number;
  /** A place for what the client doesn't keep up with. */
  openPlace(onEvicted: () => void): AnswerPlace;
}

export function createAnswer(
  controller: Dispatcher.DispatchController,
  head: { status: number; headers: IncomingHttpHeaders },
  { takenWithinMs, openPlace }: Taking,
): IncomingAnswer {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let client: ServerResponse | null = null;
  let state: 'coming' | 'ended' | 'failed' = 'coming';
  let place: AnswerPlace | null = null;
  let tell = () => {};

  // With its connection: of an answer that is behind others there, Node keeps what was written until that ends.
  const cutOff = () => client?.req.socket.destroy();
  const resume = () => {
    if (state === 'coming') controller.resume();
  };
  /** So many bytes are more than the client takes at the moment. */
  const keep = (bytes: number) => {
    place ??= openPlace(cutOff);
    const kept = place.take(bytes);
    if (kept === 'refused') cutOff();
    if (kept !== 'held') controller.pause();
    return kept === 'held';
  };
  const finish = (as: 'ended' | 'failed') => {
    state = as;
    tell();
  };

  return {
    ...head,
    length: () => (state === 'ended' && heldBytes > 0 ? heldBytes : null),
    async beginning() {
      if (state === 'coming' && heldBytes < HELD_BYTES) await new Promise<void>((told) => (tell = told));
      if (state === 'failed') throw unavailable('the answer was cut off');
      return Buffer.concat(held);
    },
    sendBody(to) {
      client = to;
      if (state === 'failed') return void cutOff();
      const body = held.length === 1 ? held[0] : Buffer.concat(held);
      held.length = 0;
      if (state === 'ended') {
        // As text of one byte a character it goes out in one piece with the head.
        to.end(body?.toString('latin1'), 'latin1');
        if (to.socket && to.writableLength === 0) return;
      }
      // One that has ended may be in nobody's hands, too: behind others on a connection that nobody reads.
      const timer = setTimeout(cutOff, takenWithinMs);
      to.once('close', () => {
        clearTimeout(timer);
        place?.clear();
      });
      if (state === 'ended') return;
      to.on('drain', () => {
        place?.clear();
        resume();
      });
      if (to.write(body as Buffer) || keep(heldBytes)) resume();
    },
    drop() {
      if (state === 'coming') controller.abort(new Error('nobody takes the answer'));
    },
    add(chunk) {
      if (client) {
        if (!client.write(chunk)) keep(chunk.length);
        return;
      }
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes < HELD_BYTES) return;
      controller.pause();
      tell();
    },
    end() {
      finish('ended');
      client?.end();
    },
    fail() {
      finish('failed');
      cutOff();
    },
  };
}
