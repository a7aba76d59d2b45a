import type { IncomingHttpHeaders } from 'node:http';
import type { FairQueue } from '@frontdesk/fair';
import { type Dispatcher, errors } from 'undici';
import type { Addresses, Backend } from './addresses.ts';

/** Whom a request is for: a tenant, or a source of calls. */
export type Holder = number | string;

/** Why a call to one address brought no answer, or none that was whole. */
export type BackendFailure = 'unreachable' | 'timeout' | 'broken';

/** What `dispatch` takes beside undici's own. `headersTimeout` bounds the whole time until an answer begins, with all waits. */
export interface BackendDispatchOptions extends Dispatcher.DispatchOptions {
  /** For whom the request is: it counts against the holder's places. */
  holder?: Holder | undefined;
}

/** No process of the service takes the request; nothing of it was sent. */
export class NoBackendError extends errors.UndiciError {
  /** When it may be tried again. */
  readonly retryMs: number;
  constructor(message: string, options: { retryMs?: number; cause?: unknown } = {}) {
    super(message);
    this.name = 'NoBackendError';
    this.cause = options.cause;
    this.retryMs = options.retryMs ?? 1_000;
  }
}

/** What all requests of a dispatcher share. */
export interface RequestContext {
  addresses: Addresses;
  holders: FairQueue<Holder> | undefined;
  waitMs: number;
  onFailure(reason: BackendFailure): void;
  /** `goOn` is called, once, when there may be a process. */
  wait(goOn: () => void): void;
  /** False where it has gone on. */
  stopWaiting(goOn: () => void): boolean;
  /** The answer to a request of this holder has begun, or will never. */
  settled(holder: Holder | undefined): void;
}

/**
 * One request on its way through the dispatcher's steps. To its caller it is the controller of the request, from the first moment on:
 * it can be aborted while it waits for a place, a process or a connection. To an address's pool it is the handler.
 */
export class BackendRequest implements Dispatcher.DispatchHandler, Dispatcher.DispatchController {
  readonly #context: RequestContext;
  readonly #holder: Holder | undefined;
  #options: BackendDispatchOptions;
  #handler: Dispatcher.DispatchHandler;
  #deadline: NodeJS.Timeout | null = null;
  #state: 'in_holder_queue' | 'waiting' | 'in_queue' | 'connecting' | 'sent' | 'ended' = 'in_holder_queue';
  #backend: Backend | null = null;
  #tried: Set<Backend> | null = null;
  #fault: unknown = new Error('no address is known');
  #patience: NodeJS.Timeout | null = null;
  #isImpatient = false;
  #controller: Dispatcher.DispatchController | null = null;
  #isAnswered = false;
  #isSettled = false;
  #isReported = false;
  aborted = false;
  reason: Error | null = null;

  constructor(context: RequestContext, options: BackendDispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.#context = context;
    this.#options = options;
    this.#holder = options.holder;
    this.#handler = handler;
  }

  /** It may not begin: nobody else hears of it. */
  refuse(reason: string): void {
    this.#handler.onResponseError?.(this, new NoBackendError(reason));
  }

  start(): void {
    const { headersTimeout } = this.#options;
    if (headersTimeout) this.#deadline = setTimeout(this.#onDeadline, headersTimeout);
    this.#handler.onRequestStart?.(this, null);
    if (!this.aborted) this.#enterHolderQueue();
  }

  get paused() {
    return this.#controller?.paused ?? false;
  }
  get rawHeaders() {
    return this.#controller?.rawHeaders ?? null;
  }
  get rawTrailers() {
    return this.#controller?.rawTrailers ?? null;
  }
  pause(): void {
    this.#controller?.pause();
  }
  resume(): void {
    this.#controller?.resume();
  }

  /** The caller no longer wants an answer. This counts against no process. */
  abort(reason: Error): void {
    this.#abort(reason, { isLate: false });
  }

  #onDeadline = () => this.#abort(new errors.HeadersTimeoutError(), { isLate: true });

  #abort(reason: Error, { isLate }: { isLate: boolean }): void {
    if (this.aborted || this.#state === 'ended') return;
    this.aborted = true;
    this.reason = reason;
    const [backend, state] = [this.#backend, this.#state];
    if (backend && this.#isFaultOf(backend, isLate)) {
      backend.circuit.fail();
      this.#context.onFailure('timeout');
    }
    if (state === 'sent') {
      this.#controller?.abort(reason);
      return;
    }
    if (state === 'in_holder_queue') this.#context.holders?.leave(this.#holder ?? '', this.#callNext);
    if (state === 'waiting') this.#context.stopWaiting(this.#enterHolderQueue);
    if (state === 'in_queue') backend?.calls.leave(this.#send);
    this.#report(reason);
    // The pool still has one that connects; it is ended once it could be sent.
    if (state !== 'connecting') this.#end();
  }

  /** A request that times out in the queue counts against the address only if the address has answered nothing meanwhile. */
  #isFaultOf({ calls }: Backend, isLate: boolean): boolean {
    if (this.#state === 'sent') return isLate;
    if (this.#state !== 'in_queue') return false;
    return calls.silentMs() >= (this.#options.headersTimeout || Number.POSITIVE_INFINITY);
  }

  #enterHolderQueue = (): void => {
    this.#state = 'in_holder_queue';
    const { holders } = this.#context;
    if (holders && this.#holder !== undefined) holders.enter(this.#holder, this.#callNext);
    else this.#callNext();
  };

  #callNext = (): void => {
    const backend = this.#context.addresses.pick(this.#tried ?? NONE);
    this.#backend = backend;
    if (backend) {
      this.#state = 'in_queue';
      backend.circuit.begin();
      backend.calls.enter(this.#send);
    } else this.#wait();
  };

  /** Nothing was sent and no process is available: the holder's place is released while the request waits. */
  #wait(): void {
    this.#leaveHolder();
    this.#state = 'waiting';
    this.#tried = null;
    if (this.#isImpatient) this.#giveUp();
    else {
      this.#patience ??= setTimeout(this.#onPatienceEnd, this.#context.waitMs);
      this.#context.wait(this.#enterHolderQueue);
    }
  }

  #onPatienceEnd = () => {
    this.#isImpatient = true;
    if (this.#state === 'waiting' && this.#context.stopWaiting(this.#enterHolderQueue)) this.#giveUp();
    if (this.#state === 'connecting') this.#abort(this.#nobody(), { isLate: true });
  };

  #giveUp(): void {
    this.#report(this.#nobody());
    this.#end();
  }

  #nobody(): NoBackendError {
    const openForMs = this.#context.addresses.openForMs();
    const cause = this.#fault;
    const isKnown = openForMs > 0 && Number.isFinite(openForMs);
    return new NoBackendError(
      'no process takes requests',
      isKnown ? { retryMs: openForMs, cause } : { cause },
    );
  }

  #send = () => {
    this.#state = 'connecting';
    const backend = this.#backend as Backend;
    // It may have gone silent since the request came into its queue.
    const { addresses } = this.#context;
    if (backend.liveness.isSilent() && addresses.hasLivelyBeside(backend, this.#tried ?? NONE))
      this.#elsewhere();
    else backend.pool.dispatch({ ...this.#options, headersTimeout: 0 }, this);
  };

  /** Nothing was sent: the request goes on to another address, whatever its method. */
  #elsewhere(): void {
    const backend = this.#backend as Backend;
    backend.calls.ended({ isAnswered: false });
    if (this.aborted) this.#end();
    else {
      this.#tried = (this.#tried ?? new Set()).add(backend);
      this.#callNext();
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#state = 'sent';
    if (this.aborted) controller.abort(this.reason as Error);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
    statusMessage?: string,
  ): void {
    if (statusCode >= 200) {
      this.#isAnswered = true;
      const { calls, liveness } = this.#backend as Backend;
      calls.answered();
      liveness.heard();
      this.#settle();
    }
    if (!this.aborted) this.#handler.onResponseStart?.(this, statusCode, headers, statusMessage);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.aborted) this.#handler.onResponseData?.(this, chunk);
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    const { calls, circuit } = this.#backend as Backend;
    calls.ended({ isAnswered: true });
    circuit.succeed();
    if (!this.#isReported) {
      this.#isReported = true;
      this.#handler.onResponseEnd?.(this, trailers);
    }
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { calls, circuit, liveness } = this.#backend as Backend;
    if (this.#state === 'connecting' && !isOwnFault(error)) {
      // A pool that was closed meanwhile, because the name no longer leads there, says nothing of its process.
      if (!isClosed(error)) {
        liveness.refused();
        this.#context.onFailure('unreachable');
      }
      this.#fault = error;
      this.#elsewhere();
      return;
    }
    calls.ended({ isAnswered: this.#isAnswered });
    // What we end ourselves is not the address's fault, or has been counted already.
    if (!this.aborted && !isOwnFault(error)) {
      circuit.fail();
      this.#context.onFailure('broken');
    }
    this.#report(this.reason ?? error);
    this.#end();
  }

  #report(error: Error): void {
    this.#settle();
    if (this.#isReported) return;
    this.#isReported = true;
    this.#handler.onResponseError?.(this, error);
  }

  /** Its answer has begun, or can't be had any more. */
  #settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#deadline) clearTimeout(this.#deadline);
    if (this.#patience) clearTimeout(this.#patience);
    this.#context.settled(this.#holder);
  }

  #leaveHolder(): void {
    if (this.#holder !== undefined) this.#context.holders?.giveBack(this.#holder);
  }

  /** Nothing of it is under way any more. */
  #end(): void {
    if (this.#state === 'ended') return;
    const hasPlace = this.#state !== 'in_holder_queue' && this.#state !== 'waiting';
    this.#state = 'ended';
    if (hasPlace) this.#leaveHolder();
    this.#options = ENDED;
    this.#handler = {};
    this.#controller = null;
  }
}

/** What an old object refers to lives until that one is collected, which may take long: a request that has ended lets go of all. */
const ENDED = {} as BackendDispatchOptions;
const NONE: ReadonlySet<Backend> = new Set();

/** Of the request, which undici does not take. */
const isOwnFault = (error: Error) =>
  error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError;
const isClosed = (error: Error) =>
  error instanceof errors.ClientClosedError || error instanceof errors.ClientDestroyedError;
