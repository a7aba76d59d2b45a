import { type ApiAnswer, ApiPromise } from '../api-promise.ts';
import { failureOf } from '../transport/answer.ts';
import { wait } from '../transport/attempt.ts';
import type { RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type { FeedEvent, FeedMeta, ListEvents } from '../types.ts';
import { type FollowOptions, untilAnswered } from './following.ts';

const PATH = '/events';
/** The longest that the API waits for an event. */
const WAIT_SECONDS = 25;
/** The time for the answer itself, beside the wait. */
const ANSWER_MS = 30_000;
/** After a wait that another program with the same key has ended: two of them would end each other’s without a pause. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

/** Events, and where the feed goes on behind them. */
export interface FeedPage {
  data: FeedEvent[];
  meta: FeedMeta;
}

type FollowQuery = Pick<ListEvents, 'after' | 'types'>;

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
        method: 'GET',
        path: PATH,
        query,
        isList: true,
        options: { ...options, timeoutMs },
      });
      const meta = answer.meta as unknown as FeedMeta | undefined;
      if (typeof meta?.next_cursor !== 'string') throw failureOf(answer);
      return { ...answer, data: { data: answer.data, meta } };
    };
    return new ApiPromise(get());
  }

  /**
   * Every event behind `after`, and those to come, until `signal` aborts. It goes on after faults that pass by: lost connections, 429,
   * 5xx. Keep each event's `cursor` with what you have made of it, and begin there the next time.
   * @throws CursorExpiredError, and any other answer that waiting doesn't change
   */
  async *follow(
    query: FollowQuery = {},
    options: FollowOptions = {},
  ): AsyncGenerator<FeedEvent, void, undefined> {
    for await (const { data } of this.followPages(query, options)) yield* data;
  }

  /** The same as `follow`, answer by answer. An answer without events moves on, too: past those of other types. */
  async *followPages(
    query: FollowQuery = {},
    options: FollowOptions = {},
  ): AsyncGenerator<FeedPage, void, undefined> {
    const { onFault: _own, ...requestOptions } = options;
    const ask = (more: ListEvents) =>
      untilAnswered(() => this.list({ ...query, ...more }, { ...requestOptions, maxRetries: 0 }), options);
    // This request does not wait. If a waiting request after `latest` broke, the next one would begin later.
    let page = await ask({});
    let pauseMs = 0;
    for (;;) {
      yield page;
      const { next_cursor: after, has_more: hasMore } = page.meta;
      if (pauseMs > 0) await wait(pauseMs, options.signal);
      const askedAt = performance.now();
      page = await ask(hasMore ? { after } : { after, wait: WAIT_SECONDS });
      const isEnded = !hasMore && isEmpty(page) && performance.now() - askedAt < (WAIT_SECONDS * 1_000) / 2;
      pauseMs = isEnded ? Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), MAX_PAUSE_MS) : 0;
    }
  }
}

const isEmpty = ({ data, meta }: FeedPage) => data.length === 0 && !meta.has_more;
