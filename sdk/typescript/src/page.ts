import { ApiPromise } from './api-promise.ts';
import type { PageMeta } from './types.ts';

/** One page of a list. `for await` walks from its first record to the end of the list. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly data: Item[];
  readonly meta: PageMeta;
  readonly #fetchFrom: (cursor: string) => Promise<Page<Item>>;

  constructor(data: Item[], meta: PageMeta, fetchFrom: (cursor: string) => Promise<Page<Item>>) {
    this.data = data;
    this.meta = meta;
    this.#fetchFrom = fetchFrom;
  }

  get hasNextPage(): boolean {
    return Boolean(this.meta.next_cursor);
  }

  /** The page after this one; null after the last. It goes by cursor, so nothing is missed or repeated. */
  async nextPage(): Promise<Page<Item> | null> {
    const { next_cursor } = this.meta;
    return next_cursor ? this.#fetchFrom(next_cursor) : null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* this.data;
    for (let page = await this.nextPage(); page; page = await page.nextPage()) yield* page.data;
  }
}

/** A promise of a list's page, and `for await` over all of its records. */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }
}
