import { type ApiAnswer, ApiPromise } from '../api-promise.ts';
import { failureOf } from '../transport/answer.ts';
import { wait } from '../transport/attempt.ts';
import type { RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type { FeedEvent, FeedMeta, ListEvents } from '../types.ts';

const PATH = '/events';
/** As long as the API waits for an event at most. */
const WAIT_SECONDS = 25;
/** For the answer itself, beside the wait. */
const ANSWER_MS = 30_000;
const SHORTEST_WAIT_MS = 5_000;

/** Events, and where the feed goes on behind them. */
export interface FeedPage {
  data: FeedEvent[];
  meta: FeedMeta;
}

export class Events {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** @throws CursorExpiredError where events behind `after` are no longer kept; its `data.oldest_cursor` is where the feed begins */
  list(query: ListEvents = {}, options: RequestOptions = {}): ApiPromise<FeedPage> {
    const timeoutMs = options.timeoutMs ?? ANSWER_MS + (query.wait ?? 0) * 1_000;
    const get = async (): Promise<ApiAnswer<FeedPage>> => {
      const answer = await this.#send<FeedEvent[]>({
        ...{ method: 'GET', path: PATH, query, isList: true },
        options: { ...options, timeoutMs },
      });
      const meta = answer.meta as unknown as FeedMeta | undefined;
      if (typeof meta?.next_cursor !== 'string') throw failureOf(answer);
      return { ...answer, data: { data: answer.data, meta } };
    };
    return new ApiPromise(get());
  }

  /**
   * Every event behind `after`, and those to come, until `signal` aborts or a failure outlasts the retries. Keep each event's `cursor`
   * with what you have made of it, and begin there the next time.
   */
  async *follow(
    query: Pick<ListEvents, 'after' | 'types'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<FeedEvent, void, undefined> {
    let { after } = query;
    for (;;) {
      const askedAt = Date.now();
      const { data, meta } = await this.list(
        { ...query, ...(after && { after }), wait: WAIT_SECONDS },
        options,
      );
      yield* data;
      const isUnchanged = meta.next_cursor === after;
      after = meta.next_cursor;
      // Nothing, and too soon: another program follows with the same key, and the two end each other's requests.
      const restMs = isUnchanged ? askedAt + SHORTEST_WAIT_MS - Date.now() : 0;
      if (restMs > 0) await wait(restMs, options.signal);
    }
  }
}
