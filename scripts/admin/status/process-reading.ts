import { lookup } from 'node:dns/promises';
import { z } from 'zod';
import { addressOf, type Service } from '../running-system.ts';
import { type Sample, samplesOf } from './metrics-text.ts';

/** A process that doesn't answer in this time counts as away. */
const ANSWERS_WITHIN_MS = 4_000;

/** What `/health/ready` answers. Where another program answers there, the service is away. */
const readiness = z.union([
  z.object({ status: z.literal('ready') }).transform((): string[] => []),
  z.object({ missing: z.string().array().nonempty() }).transform(({ missing }): string[] => missing),
]);

/** What one process says of itself. */
export interface ProcessReading {
  service: Service;
  /** Where its internal port is. */
  address: string;
  /** Of the parts that keep it from being ready; null where the process doesn't answer. */
  missing: string[] | null;
  samples: Sample[];
}

/** Every process of a service: all addresses behind its name are asked. One that is away is a reading too. */
export async function readProcesses(service: Service): Promise<ProcessReading[]> {
  const url = new URL(await addressOf(service));
  const addresses = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  if (addresses.length === 0) return [away(service, url.host)];
  return Promise.all(
    addresses.map(({ address, family }) => {
      const host = family === 6 ? `[${address}]` : address;
      return readProcess(service, `${host}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`, url);
    }),
  );
}

async function readProcess(service: Service, address: string, { protocol }: URL): Promise<ProcessReading> {
  const get = (path: string) =>
    fetch(`${protocol}//${address}${path}`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  try {
    const [ready, metrics] = await Promise.all([get('/health/ready'), get('/metrics')]);
    if (!metrics.ok) return away(service, address);
    const missing = readiness.parse(await ready.json());
    return { service, address, missing, samples: samplesOf(await metrics.text()) };
  } catch {
    return away(service, address);
  }
}

const away = (service: Service, address: string): ProcessReading => ({
  service,
  address,
  missing: null,
  samples: [],
});
