import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { IDENTITY_REFUSED_HEADER } from '@frontdesk/contracts';
import { AppError, type Holder, NoBackendError, noteFailure, type Span } from '@frontdesk/service';
import { type Dispatcher, errors } from 'undici';
import { clientClosed, isClientClosed, tooSlow, unavailable } from '../http/errors.rules.ts';

/** What the dispatcher has to know of the request that a call is made for. */
export interface Call {
  client: ServerResponse;
  holder: Holder;
  /** Milliseconds that have passed already of the time for an answer. */
  spentMs: number;
  /** How long the request may wait for something to happen, beside that time. */
  mayWaitMs: number;
  /** From the beginning of its wait to the beginning of the answer. */
  span: Span | null;
}

interface CallOptions {
  call: Call;
  /** The proxy's. */
  handler: Dispatcher.DispatchHandler;
  /** Called once: when the answer begins, or when it is clear that none will. */
  onSettled: (seconds: number) => void;
}

/** Handles a backend's answer to one call. The call ends with the answer, at its deadline, or when the client closes its connection. */
export class AnswerOfCall implements Dispatcher.DispatchHandler {
  readonly #startedMs = performance.now();
  #options: CallOptions;
  #controller: Dispatcher.DispatchController | null = null;
  #isSettled = false;

  constructor(options: CallOptions) {
    this.#options = options;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    const { call, handler } = this.#options;
    this.#controller = controller;
    handler.onRequestStart?.(controller, context);
    if (call.client.destroyed) controller.abort(clientClosed());
    else call.client.once('close', this.#onClientClosed);
  }

  #onClientClosed = () => this.#controller?.abort(clientClosed());

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
    statusMessage?: string,
  ): void {
    const { handler, call } = this.#options;
    if (statusCode >= 200) {
      // Our signing keys or clocks disagree. The client must not take that for a fault of its API key.
      if (headers[IDENTITY_REFUSED_HEADER] !== undefined) {
        controller.abort(unavailable(`the backend refused the gateway's identity with status ${statusCode}`));
        return;
      }
      call.span?.setAttribute('http.response.status_code', statusCode);
      this.#settle(null);
    }
    handler.onResponseStart?.(controller, statusCode, joined(headers), statusMessage);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#options.handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    this.#options.handler.onResponseEnd?.(controller, trailers);
    this.#end();
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    const failure = asFailure(error);
    const isUnheard = isClientClosed(failure) && !this.#isSettled;
    this.#settle(isUnheard ? null : failure);
    if (!isUnheard) this.#options.handler.onResponseError?.(controller, failure);
    this.#end();
  }

  #settle(failure: AppError | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { call, onSettled } = this.#options;
    onSettled((performance.now() - this.#startedMs) / 1_000);
    if (failure && call.span) noteFailure(call.span, failure);
    call.span?.end();
  }

  /** The call is over. */
  #end(): void {
    this.#options.call?.client.off('close', this.#onClientClosed);
    this.#options = ENDED;
    this.#controller = null;
  }
}

/** The error that the client gets. */
function asFailure(error: Error): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.HeadersTimeoutError) return tooSlow();
  if (error instanceof NoBackendError) return unavailable(error.cause ?? error, error.retryMs);
  return unavailable(error);
}

/** A call that has ended drops its references: V8 may collect it late, and would keep alive whatever it refers to. */
const ENDED = {} as CallOptions;

/** undici makes a list of a repeated header. Its readers expect one text, as Node makes it, for all headers but Set-Cookie. */
function joined(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  }
  return headers;
}
