import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** An answer up to the end of its body, or to where it was cut. */
export interface Answer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Its first bytes. */
  body: Buffer;
}

const EMPTY = Buffer.alloc(0);

export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}

/**
 * One POST on undici's own level: no streams, no signals. The deadline holds from now on, also while it waits for a connection.
 * An answer longer than `maxBytes` is cut there and its connection closed; with `reset` it is closed after any answer.
 * @throws DeadlinePassed, or what undici fails with
 */
export function exchange(
  dispatcher: Dispatcher,
  request: { url: URL; headers: Record<string, string>; body: Buffer; reset: boolean },
  bounds: { timeoutMs: number; maxBytes: number },
): Promise<Answer> {
  const { url, headers, body, reset } = request;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let controller: Dispatcher.DispatchController | undefined;
  let isPast = false;
  const answer: Answer = { statusCode: 0, headers: {}, body: EMPTY };
  const chunks: Buffer[] = [];
  let length = 0;

  const deadline = setTimeout(() => {
    isPast = true;
    const passed = new DeadlinePassed('The deadline has passed.');
    controller?.abort(passed);
    reject(passed);
  }, bounds.timeoutMs);
  const end = () => {
    clearTimeout(deadline);
    if (chunks.length > 0) answer.body = Buffer.concat(chunks);
    resolve(answer);
  };

  dispatcher.dispatch(
    {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers,
      body,
      reset,
    },
    {
      onRequestStart(started) {
        controller = started;
        // It has waited so long for its connection that nobody waits for it any more.
        if (isPast) started.abort(new DeadlinePassed('The deadline has passed.'));
      },
      onResponseStart(_controller, statusCode, answered) {
        answer.statusCode = statusCode;
        answer.headers = answered;
      },
      onResponseData(reading, chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= bounds.maxBytes) return;
        end();
        reading.abort(new Error('The rest of the answer is not wanted.'));
      },
      onResponseEnd: end,
      onResponseError(_controller, error) {
        clearTimeout(deadline);
        reject(error);
      },
    },
  );
  return promise;
}
