import { within } from '@frontdesk/fair';
import { Gauge, type Registry } from 'prom-client';

/** Longest that a scrape waits for one reading. */
const READ_TIMEOUT_MS = 2_000;

interface GaugeName {
  name: string;
  help: string;
  labelNames?: string[];
}

/** A value of a gauge without labels, or one for each combination of its labels. */
export type Reading = number | readonly { labels: Record<string, string>; value: number }[];

/**
 * Adds a reader to the gauge of this name. It is asked at each scrape; values of several readers under the same labels add up. What
 * can't be read within two seconds is unknown: NaN, or missing where there are labels. The other metrics are wanted most just then.
 */
export type WatchGauge = (gauge: GaugeName, read: () => Reading | Promise<Reading>) => void;

export function createGauges(registry: Registry): WatchGauge {
  const readers = new Map<string, (() => Promise<Reading>)[]>();
  return ({ name, help, labelNames = [] }, read) => {
    const own = async () => read();
    const known = readers.get(name);
    if (known) return void known.push(own);
    const all = [own];
    readers.set(name, all);
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const readings = await Promise.all(all.map((each) => readingOf(each)));
        this.reset();
        for (const reading of readings) {
          const values = typeof reading === 'number' ? [{ labels: {}, value: reading }] : (reading ?? []);
          for (const { labels, value } of values) this.inc(labels, value);
          if (reading === null && labelNames.length === 0) this.set(Number.NaN);
        }
      },
    });
  };
}

/** Null where it fails or takes too long. */
const readingOf = (read: () => Promise<Reading>) =>
  within(READ_TIMEOUT_MS, read(), () => null).catch(() => null);

/** One reading for all gauges that ask for it while it is under way: those of one scrape. */
export function readTogether<Values>(read: () => Promise<Values>): () => Promise<Values> {
  let reading: Promise<Values> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
