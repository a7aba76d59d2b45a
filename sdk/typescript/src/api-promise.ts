/** Requests that the tighter window of the plan allows. */
export interface RateLimit {
  limit: number;
  remaining: number;
  resetsAt: Date;
}

/** An answer with what came in its headers. */
export interface ApiAnswer<Data> {
  data: Data;
  status: number;
  headers: Headers;
  /** Identifies the request when you ask for help. */
  requestId: string | null;
  /** The record's version, for `ifMatch`; null where the answer isn't one record. */
  etag: string | null;
  rateLimit: RateLimit | null;
  /** This repeats the first answer to the same idempotency key. */
  isReplayed: boolean;
}

/** A promise of the `data`. `withResponse()` promises the same with the headers. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #answer: Promise<ApiAnswer<Data>>;

  constructor(answer: Promise<ApiAnswer<Data>>) {
    super((resolve) => resolve(undefined as never));
    this.#answer = answer;
  }

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // `catch` and `finally` call this one.
  // biome-ignore lint/suspicious/noThenProperty: a promise has one.
  override then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  /** The data with status, headers, ETag, request id and rate limit. */
  withResponse(): Promise<ApiAnswer<Data>> {
    return this.#answer;
  }
}
