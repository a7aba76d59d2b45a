import { eventually } from '../../../tests/support/eventually.ts';
import { startReceiver } from '../../../tests/support/receiver.ts';

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const feedEvent = (id: string, number: number) => ({
  id,
  event: 'customer.created',
  created_at: '2026-03-02T09:00:00Z',
  sequence: 1,
  data: { id: number },
  cursor: String(number),
});

/** The feed of events, as far as its clients can tell. A cursor is the number of events before it; a wait without an event lasts. */
export async function startScriptedFeed() {
  const api = await startReceiver();
  const feed = {
    api,
    /** The ids of all events. */
    events: [] as string[],
    /** The answer to every request, also to those that wait; null: events. */
    fault: null as Reply | null,
    async answer(path: string): Promise<Reply> {
      const query = new URL(path, api.url).searchParams;
      const count = () => feed.events.length;
      const after = query.get('after') === 'latest' ? count() : Number(query.get('after') ?? 0);
      if (query.has('wait')) await eventually(() => expect(feed.fault ?? count()).not.toBe(after));
      if (feed.fault) return feed.fault;
      const data = feed.events.map((id, index) => feedEvent(id, index + 1)).slice(after);
      const meta = { next_cursor: String(count()), has_more: false };
      return { status: 200, body: JSON.stringify({ success: true, data, meta }) };
    },
  };
  api.respondWith(({ path }) => feed.answer(path));
  return feed;
}
