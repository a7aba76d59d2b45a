import type { Component } from '@frontdesk/service';
import type { Redis } from 'ioredis';

/** The channel that every gateway listens to. */
export const ACCESS_CHANGES = 'gateway:access-changed';
/**
 * How often what failed is tried again, what can't be heard of is asked for, and Redis has to show that it could be heard: two of
 * them and a look-up have to fit into a second.
 */
const BEAT_MS = 300;

export interface AccessChanges extends Component {
  /** Notifies every gateway, this one at once, that keys or plan or status of a tenant have changed. Call it after the commit. */
  announce(tenantId: number): void;
}

/**
 * Changes of access travel by Redis pub/sub, which reaches only those who are listening: every new subscription therefore
 * begins with `onReset`, and while there is none, or Redis doesn't answer on it, `onSilence` has to find out. What could not
 * be published is tried again, for the last time at the stop.
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
  const unpublished = new Map<number, { isUnderWay: boolean }>();
  let isLive = false;
  /** Whether the last ping was answered, and so every message before it has come. A Redis that hangs closes no connection. */
  let isAnswering = false;
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;

  const publish = async (tenantId: number) => {
    const attempt = { isUnderWay: true };
    unpublished.set(tenantId, attempt);
    await publisher.publish(ACCESS_CHANGES, String(tenantId)).then(
      () => {
        if (unpublished.get(tenantId) === attempt) unpublished.delete(tenantId);
      },
      () => {
        attempt.isUnderWay = false;
      },
    );
  };
  const publishAgain = (isDue = ({ isUnderWay }: { isUnderWay: boolean }) => !isUnderWay) =>
    Promise.all(
      [...unpublished].filter(([, attempt]) => isDue(attempt)).map(([tenantId]) => publish(tenantId)),
    );

  const subscribe = () => {
    subscriber.subscribe(ACCESS_CHANGES).then(
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

  const checkAnswering = () => {
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
    if (isLive) checkAnswering();
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
      await publishAgain(() => true);
    },
    announce(tenantId) {
      onTenant(tenantId);
      void publish(tenantId);
    },
  };
}
