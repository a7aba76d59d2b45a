import type { Part } from '@frontdesk/service';
import type { Redis } from 'ioredis';

const CHANNEL = 'gateway:access-changed';
/**
 * How often what failed is tried again, what can't be heard of is asked for, and Redis has to show that it could be heard: two of
 * them and a look-up have to fit into a second.
 */
const BEAT_MS = 300;

export interface AccessChanges extends Part {
  /** Tells every gateway, this one at once, that keys or plan or status of a tenant have changed. Call it after the commit. */
  announce(tenantId: number): void;
}

/**
 * Changes of access travel by Redis pub/sub, which forgets whoever isn't listening: every new subscription therefore
 * begins with `onReset`, and while there is none `onSilence` has to find out. What could not be published is published again until it could, for the last time at the stop.
 */
export function createAccessChanges(options: {
  publisher: Redis;
  /** A connection of its own: a subscribed one takes no other commands. */
  subscriber: Redis;
  onTenant: (tenantId: number) => void;
  onReset: () => void;
  /** Again and again while nothing can be heard of. */
  onSilence: () => Promise<void>;
}): AccessChanges {
  const { publisher, subscriber, onTenant, onReset, onSilence } = options;
  /** Tenant → its latest attempt: an earlier one that gets through says nothing of what changed since. */
  const unpublished = new Map<number, symbol>();
  let isLive = false;
  /** A Redis that hangs closes no connection. What it was asked last it has answered, and told before what it had to tell. */
  let isAnswering = false;
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;

  const publish = async (tenantId: number) => {
    const attempt = Symbol();
    unpublished.set(tenantId, attempt);
    await publisher.publish(CHANNEL, String(tenantId)).then(
      () => {
        if (unpublished.get(tenantId) === attempt) unpublished.delete(tenantId);
      },
      () => {},
    );
  };
  const publishAgain = () => Promise.all([...unpublished.keys()].map(publish));

  const subscribe = () => {
    subscriber.subscribe(CHANNEL).then(
      () => {
        isLive = true;
        isAnswering = true;
        onReset();
      },
      () => {},
    );
  };

  /** Whatever stands in its way, what is remembered goes stale by itself. */
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    await onSilence().catch(() => {});
    isAsking = false;
  };

  const listen = () => {
    isAnswering = false;
    subscriber.ping().then(
      () => {
        isAnswering = true;
      },
      () => {},
    );
  };

  const beat = () => {
    void publishAgain();
    if (!isLive || !isAnswering) void ask();
    if (isLive) listen();
    else if (subscriber.status === 'ready') subscribe();
  };

  subscriber.on('message', (_channel: string, tenantId: string) => onTenant(Number(tenantId)));
  subscriber.on('ready', subscribe);
  subscriber.on('close', () => {
    isLive = false;
  });

  return {
    name: 'access-changes',
    async start() {
      timer = setInterval(beat, BEAT_MS);
    },
    async stop() {
      clearInterval(timer);
      await publishAgain();
    },
    announce(tenantId) {
      onTenant(tenantId);
      void publish(tenantId);
    },
  };
}
