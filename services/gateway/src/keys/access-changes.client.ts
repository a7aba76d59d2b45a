import type { Component } from '@frontdesk/service';
import type { Cluster, Redis } from 'ioredis';

/** The channel that every gateway listens to. */
export const ACCESS_CHANGES = 'gateway:access-changed';
/**
 * The interval in which a gateway repeats failed announcements, checks its cached keys while it may miss announcements, and pings
 * Redis. Two intervals and a look-up of keys have to fit into a second.
 */
const BEAT_MS = 300;

export interface AccessChanges extends Component {
  /** Notifies every gateway, this one at once, that keys or plan or status of a tenant have changed. Call it after the commit. */
  announce(tenantId: number): void;
}

/**
 * Announces by Redis pub/sub that the access of a tenant has changed. Pub/sub reaches only gateways that are subscribed: so a new
 * subscription calls `onReset`, and a gateway without one, or whose Redis answers no ping, calls `onSilence` again and again. A failed
 * announcement is repeated, for the last time when the gateway stops.
 */
export function createAccessChanges(options: {
  publisher: Redis | Cluster;
  /** A connection of its own: a subscribed one takes no other commands. */
  subscriber: Redis;
  onTenant: (tenantId: number) => void;
  onReset: () => void;
  /** Called again and again while announcements may be missed. */
  onSilence: () => Promise<void>;
}): AccessChanges {
  const { publisher, subscriber, onTenant, onReset, onSilence } = options;
  /** The latest unfinished announcement of each tenant: the success of an earlier one does not cover a later change. */
  const unpublished = new Map<number, { isUnderWay: boolean }>();
  let isValid = false;
  /** Whether Redis answered the last ping, and so sent every message before it. A Redis that hangs closes no connection. */
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
        isValid = true;
        isAnswering = true;
        onReset();
      },
      () => {},
    );
  };

  /** The next beat repeats a check that failed; meanwhile cached keys expire by themselves. */
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
    if (!isValid || !isAnswering) void ask();
    if (isValid) checkAnswering();
    else if (subscriber.status === 'ready') subscribe();
  };

  subscriber.on('message', (_channel: string, tenantId: string) => onTenant(Number(tenantId)));
  subscriber.on('ready', subscribe);
  subscriber.on('close', () => {
    isValid = false;
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
