import { type ApiAnswer, ApiPromise } from '../api-promise.ts';
import { Page, PagePromise } from '../page.ts';
import type { Call, Query, RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';

/** The data of one call. */
export const request = <Data>(send: Send, call: Call): ApiPromise<Data> => new ApiPromise(send<Data>(call));

/** A page of a list, which knows how to get the next ones. */
export function requestPage<Item>(
  send: Send,
  path: string,
  query: Query,
  options: RequestOptions,
): PagePromise<Item> {
  const { page: _first, ...unpaged } = query;
  const get = async (current: Query): Promise<ApiAnswer<Page<Item>>> => {
    const answer = await send<Item[]>({ method: 'GET', path, query: current, isList: true, options });
    const meta = answer.meta ?? { page: 1, per_page: answer.data.length, total: answer.data.length };
    const fetchFrom = async (cursor: string) => (await get({ ...unpaged, cursor })).data;
    return { ...answer, data: new Page(answer.data, meta, fetchFrom) };
  };
  return new PagePromise(get(query));
}
