import type { ApiPromise } from '../api-promise.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type { Call, CallListEntry, ListCalls } from '../types.ts';
import { request, requestPage } from './requests.ts';

const PATH = '/calls';

export class Calls {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Calls that are over, the newest first, unless you sort them otherwise. `for await` walks through all of them. */
  list(query: ListCalls = {}, options: RequestOptions = {}): PagePromise<CallListEntry> {
    return requestPage(this.#send, PATH, query, options);
  }

  /** One call, with its transcript, summary and recording. */
  get(id: number, options: RequestOptions = {}): ApiPromise<Call> {
    return request(this.#send, { method: 'GET', path: PATH, id, options });
  }
}
