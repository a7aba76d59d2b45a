import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AppError } from '@frontdesk/service';
import type { Dispatcher } from 'undici';
import type { Holder, HolderLines } from '../state/holder-lines.ts';
import { type AnswerBody, AnswerStream, wholeBody } from './backend-answer.ts';
import type { Backend, Balancer } from './balancer.ts';
import { gone, isGone, tooSlow, unavailable } from './failures.ts';
import type { FailureReason } from './upstream-metrics.ts';

interface BackendRequest {
  method: Dispatcher.HttpMethod;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer | null;
}

interface Head {
  statusCode: number;
  headers: IncomingHttpHeaders;
}

export interface BackendAnswer extends Head {
  body: AnswerBody;
}

interface CallOptions {
  request: BackendRequest;
  client: ServerResponse;
  balancer: Balancer;
  holder: Holder;
  holders: HolderLines;
  timeoutMs: number;
  onFailure: (reason: FailureReason) => void;
  /** Once, when the answer begins or can't be had any more; null where the client has gone and hears neither. */
  onSettled: (error: AppError | null, answer: BackendAnswer | null) => void;
}

/**
 * One call to a service: in line for a place of its holder, then for a place at the address with the least to do, and on to the
 * next address only where nothing was sent. It ends with its answer, its deadline or its client, whichever comes first.
 */
export class BackendCall implements Dispatcher.DispatchHandler {
  #options: CallOptions;
  readonly #deadline: NodeJS.Timeout;
  #state: 'in_line' | 'calling' | 'ended' = 'in_line';
  #backend: Backend | null = null;
  #tried: Set<Backend> | null = null;
  #fault: unknown = 'no address is known';
  #controller: Dispatcher.DispatchController | null = null;
  #isSent = false;
  #isCancelled = false;
  #isSettled = false;
  #head: Head | null = null;
  #chunks: Buffer[] = [];
  #stream: AnswerStream | null = null;

  constructor(options: CallOptions) {
    this.#options = options;
    this.#deadline = setTimeout(() => this.#cancel(tooSlow()), options.timeoutMs);
    options.client.once('close', this.#onClientClosed);
    options.holders.enter(options.holder, this.#onHolderTurn);
  }

  /** Also a client that has had an answer: it was taken off this call before it was read to its end. */
  #onClientClosed = () => this.#cancel(gone());

  #onHolderTurn = () => {
    this.#state = 'calling';
    this.#callNext();
  };

  /** To the address with the least to do of those that were not tried yet. */
  #callNext(): void {
    const { balancer } = this.#options;
    const backend = balancer.pick(this.#tried ?? NONE);
    this.#backend = backend;
    if (backend) {
      backend.circuit.begin();
      backend.line.enter(this.#dispatch);
      return;
    }
    const isResting = this.#tried === null && balancer.backends().length > 0;
    this.#fail(
      isResting ? unavailable('all addresses are resting', balancer.restMs()) : unavailable(this.#fault),
    );
  }

  #dispatch = () => {
    const { request, timeoutMs } = this.#options;
    this.#backend?.pool.dispatch({ ...request, headersTimeout: 0, bodyTimeout: timeoutMs }, this);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isCancelled) controller.abort(gone());
    else this.#isSent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return;
    this.#backend?.line.answered();
    this.#head = { statusCode, headers: joined(headers) };
    // A small answer comes in one piece with its head, and is over before this.
    queueMicrotask(() => {
      if (this.#isSettled || this.#isCancelled) return;
      const stream = new AnswerStream(controller);
      this.#stream = stream;
      for (const chunk of this.#chunks.splice(0)) stream.add(chunk);
      this.#answer(stream);
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stream) this.#stream.add(chunk);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { line, circuit } = this.#backend as Backend;
    line.ended({ isAnswered: true });
    circuit.succeed();
    if (this.#stream) this.#stream.end();
    else if (!this.#isCancelled) this.#answer(wholeBody(concat(this.#chunks)));
    this.#end();
  }

  onResponseError(controller: Dispatcher.DispatchController | null, error: Error): void {
    const { line, circuit } = this.#backend as Backend;
    line.ended({ isAnswered: this.#head !== null });
    // What we end ourselves is not the address's fault, or has been counted already.
    if (!this.#isCancelled && !controller?.aborted) {
      circuit.fail();
      this.#options.onFailure(this.#isSent ? 'broken' : 'unreachable');
    }
    if (this.#stream) {
      this.#stream.destroy(this.#isCancelled ? error : unavailable(error));
      this.#end();
    } else if (this.#isSent || this.#isCancelled) {
      this.#fail(unavailable(error));
    } else {
      // Nothing has left: it may go to another address, whatever its method.
      this.#tried = (this.#tried ?? new Set()).add(this.#backend as Backend);
      this.#fault = error;
      this.#callNext();
    }
  }

  /** The deadline has come, or the client has gone. */
  #cancel(reason: AppError): void {
    if (this.#isCancelled || (this.#isSettled && !isGone(reason))) return;
    this.#isCancelled = true;
    const { holder, holders, onFailure, timeoutMs } = this.#options;
    const backend = this.#backend;
    // Who gives up in line was held up by other calls: that is the address's fault only if it has answered none of them.
    const isInLine =
      this.#state === 'in_line'
        ? holders.leave(holder, this.#onHolderTurn)
        : backend?.line.leave(this.#dispatch);
    const isItsFault = isInLine ? (backend?.line.silentMs() ?? 0) >= timeoutMs : !isGone(reason);
    if (isItsFault) {
      backend?.circuit.fail();
      onFailure('timeout');
    }
    this.#settle(isGone(reason) ? null : reason, null);
    if (isInLine) this.#end();
    else this.#controller?.abort(reason);
  }

  #answer(body: AnswerBody): void {
    this.#settle(null, { ...(this.#head as Head), body });
  }

  #fail(error: AppError): void {
    this.#settle(error, null);
    this.#end();
  }

  #settle(error: AppError | null, answer: BackendAnswer | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    this.#options.onSettled(error, answer);
  }

  /** Nothing of it is under way any more. */
  #end(): void {
    if (this.#state === 'ended') return;
    const { client, holder, holders } = this.#options;
    if (this.#state === 'calling') holders.ended(holder);
    this.#state = 'ended';
    client.off('close', this.#onClientClosed);
    this.#options = ENDED;
    this.#controller = null;
  }
}

/** What an old object refers to lives until that one is collected, which may take long: a call that has ended lets go of all. */
const ENDED = {} as CallOptions;
const NONE: ReadonlySet<Backend> = new Set();

/** undici has a list for each header that is repeated. All who read them expect text, of all but Set-Cookie, as Node has it. */
function joined(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  }
  return headers;
}

const concat = (chunks: Buffer[]) => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
