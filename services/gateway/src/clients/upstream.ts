import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyHttpProxyOptions } from '@fastify/http-proxy';
import { AppError, type Part } from '@frontdesk/service';
import { type Dispatcher, Pool } from 'undici';

const CONNECT_TIMEOUT_MS = 2_000;
const CONNECTIONS = 128;
/** More than this waiting for one backend won't be answered in time either: refused, not queued. */
const MAX_WAITING = 2_048;

/** Where the client's side travels to the dispatcher: the proxy hands headers on as they are, undici ignores symbols. */
export const CLIENT_SIDE = Symbol('client side');

/** What a call needs of the client's request beside its headers. */
export interface ClientSide {
  response: ServerResponse;
  /** The body's bytes, all of them; the proxy itself has none. */
  body: Buffer | null;
  /** Sees each answer before the client does; what it throws, the client gets instead. */
  screen(answer: Dispatcher.ResponseData): Promise<Dispatcher.ResponseData>;
}

/** A service that the gateway forwards to. `dispatcher` is what the proxy takes in place of an undici pool. */
export interface Upstream {
  name: string;
  url: string;
  dispatcher: ProxyDispatcher;
  part: Part;
}

type ProxyDispatcher = NonNullable<FastifyHttpProxyOptions['undici']>;
type Done = (error: Error | null, data: Dispatcher.ResponseData) => void;
type Signal = EventEmitter & { reason?: Error };

/**
 * Calls end in an answer or in an AppError: what a screen throws, 503 where the backend can't be reached,
 * 504 where its answer doesn't begin within `timeoutMs`. A client that goes away takes its call with it.
 */
export function createUpstream(options: { name: string; url: string; timeoutMs: number }): Upstream {
  const { name, url, timeoutMs } = options;
  const pool = new Pool(url, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: timeoutMs,
  });
  let waiting = 0;

  const request = (call: Dispatcher.RequestOptions, done: Done) => {
    // undici hands over no data with an error; its type says otherwise.
    const fail = (error: Error) => done(error, undefined as unknown as Dispatcher.ResponseData);
    const side = (call.headers as unknown as { [CLIENT_SIDE]: ClientSide })[CLIENT_SIDE];
    const { response: client, body } = side;
    if (client.destroyed) return fail(unavailable('the client has gone'));
    if (waiting >= MAX_WAITING) return fail(unavailable('too many calls are waiting'));
    waiting += 1;
    const signal: Signal = new EventEmitter();
    const cancel = (reason: Error) => {
      signal.reason = reason;
      signal.emit('abort');
    };
    const deadline = setTimeout(cancel, timeoutMs, tooSlow());
    client.once('close', () => {
      if (!client.writableFinished) cancel(unavailable('the client has gone'));
    });

    const options = { ...call, body, headersTimeout: 0, bodyTimeout: timeoutMs, signal };
    pool.request(options, (error, data) => {
      waiting -= 1;
      clearTimeout(deadline);
      if (error) fail(failureOf(error));
      else
        side.screen(data).then(
          (answer) => done(null, answer),
          (cause) => fail(failureOf(cause)),
        );
    });
  };

  return {
    name,
    url,
    // The proxy brings an undici of its own, whose types are an older release's.
    dispatcher: { request } as unknown as ProxyDispatcher,
    part: { name: `upstream-${name}`, stop: () => pool.close() },
  };
}

/** Our own refusals (the deadline, a client that has gone) stay as they are; the rest means: not reachable. */
const failureOf = (error: Error): Error => (error instanceof AppError ? error : unavailable(error));

/** 503, to be tried again. The cause is for the log only. */
export const unavailable = (cause: unknown) =>
  new AppError('service_unavailable', 'The service is not available at the moment. Please try again.', {
    cause,
    headers: { 'retry-after': '1' },
  });

const tooSlow = () => new AppError('upstream_timeout', 'The service took too long to answer.');
