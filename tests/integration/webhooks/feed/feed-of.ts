import type { DomainEvent, FeedEvent } from '@frontdesk/contracts';
import { eventually } from '../../../support/index.ts';
import type { RunningWebhooks } from '../webhooks-world.ts';

interface Page {
  events: FeedEvent[];
  ids: string[];
  next: string;
  hasMore: boolean;
}

export const idsOf = (events: readonly { event_id: string }[]) =>
  events.map(({ event_id }) => `evt_${event_id}`);

/** A tenant's feed of events, as its integrator reads it. */
export function feedOf(world: RunningWebhooks, tenant: number) {
  const read = async (query = '', keyId = tenant): Promise<Page> => {
    const { status, body } = await world.feed(tenant, query, keyId);
    expect({ status, body }).toMatchObject({ status: 200 });
    const { next_cursor: next, has_more: hasMore } = body.meta;
    return { events: body.data, ids: body.data.map(({ id }: FeedEvent) => id), next, hasMore };
  };
  return {
    read,
    /** These come behind the cursor, once whatever else writes has ended. */
    goesOn: (cursor: string, ids: string[]) =>
      eventually(async () => expect((await read(`?after=${cursor}`)).ids).toEqual(ids)),
    /** Events that have come in. Those of different records come in any order. */
    async received(...events: DomainEvent[]) {
      await world.publish(...events);
      await eventually(async () =>
        expect((await read('?limit=100')).ids).toEqual(expect.arrayContaining(idsOf(events))),
      );
      return events;
    },
  };
}
