import type { ProcessReading } from './process-reading.ts';

/** How long or large a backlog may be before somebody should look. */
interface Watched {
  metric: string;
  what: string;
  unit: 'events' | 'deliveries' | 'messages' | 's' | 'requests' | 'addresses' | 'emails';
  /** Beyond this it needs somebody: the number of the alert, where there is one. */
  allowed: number;
  /** `max` where all processes report the same number, `sum` where each reports its own. */
  across: 'max' | 'sum';
  /** Labels that tell several queues apart, as in the alert: the worst one counts. */
  queueBy?: readonly string[];
  /** Whose samples count, where not all do. */
  where?: Readonly<Record<string, string>>;
}

/** In the order in which an event passes them. Where work comes all the time, a small backlog is no harm. */
export const WATCHED: readonly Watched[] = [
  {
    metric: 'outbox_oldest_waiting_seconds',
    what: 'outbox behind',
    unit: 's',
    allowed: 60,
    across: 'max',
  },
  { metric: 'outbox_parked_waiting', what: 'parked events', unit: 'events', allowed: 0, across: 'max' },
  {
    metric: 'events_consumer_lag',
    what: 'consumer lag',
    unit: 'events',
    allowed: 1_000,
    across: 'sum',
    queueBy: ['group', 'topic'],
  },
  { metric: 'dead_letters_waiting', what: 'dead letters', unit: 'messages', allowed: 0, across: 'max' },
  {
    metric: 'webhook_oldest_due_seconds',
    what: 'delivery due',
    unit: 's',
    allowed: 120,
    across: 'max',
  },
  {
    metric: 'call_messages_oldest_due_seconds',
    what: 'message due',
    unit: 's',
    allowed: 60,
    across: 'max',
  },
  { metric: 'emails_waiting', what: 'emails waiting', unit: 'emails', allowed: 0, across: 'max' },
  { metric: 'emails_failed', what: 'emails failed', unit: 'emails', allowed: 10, across: 'max' },
  // Without a mail server they are handed over by hand.
  {
    metric: 'emails_kept',
    what: 'emails kept',
    unit: 'emails',
    allowed: Number.MAX_SAFE_INTEGER,
    across: 'max',
  },
  {
    metric: 'database_waiting',
    what: 'pool queue',
    unit: 'requests',
    allowed: 20,
    across: 'sum',
  },
  {
    metric: 'gateway_upstream_addresses',
    what: 'breakers open',
    unit: 'addresses',
    allowed: 0,
    across: 'max',
    where: { state: 'resting' },
  },
];

export interface Backlog {
  service: string;
  what: string;
  /** Null where the service can't tell: its database is away. */
  waiting: number | null;
  unit: Watched['unit'];
  needs_you: boolean;
}

/** The backlogs of each service, by the metrics of its processes. A service without the metric has no such backlog. */
export function backlogsOf(readings: readonly ProcessReading[]): Backlog[] {
  const services = [...new Set(readings.map(({ service }) => service))];
  return WATCHED.flatMap(({ metric, what, unit, allowed, across, queueBy = [], where = {} }) =>
    services.flatMap((service): Backlog[] => {
      const samples = readings
        .filter((reading) => reading.service === service)
        .flatMap((reading) => reading.samples)
        .filter(({ name, labels }) => name === metric && hasAll(labels, where));
      if (samples.length === 0) return [];
      const known = samples.filter(({ value }) => !Number.isNaN(value));
      if (known.length === 0) return [{ service, what, waiting: null, unit, needs_you: true }];
      const queues = Map.groupBy(known, ({ labels }) =>
        queueBy.map((label) => labels[label]).join(' '),
      ).values();
      const waiting = Math.max(...queues.map((queue) => waitingIn(queue, across)));
      return [{ service, what, waiting, unit, needs_you: waiting > allowed }];
    }),
  );
}

const waitingIn = (queue: readonly { value: number }[], across: Watched['across']) =>
  across === 'sum'
    ? queue.reduce((sum, { value }) => sum + value, 0)
    : Math.max(...queue.map(({ value }) => value));

const hasAll = (labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) =>
  Object.entries(wanted).every(([label, value]) => labels[label] === value);
