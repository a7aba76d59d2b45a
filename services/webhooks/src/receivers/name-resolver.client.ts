import { readFile } from 'node:fs/promises';
import type { Component } from '@frontdesk/service';
import { createDnsQuery, type DnsTimeouts } from './dns-query.client.ts';

const HOSTS_FILE = '/etc/hosts';

/** The addresses that this machine's own file gives a name, since name servers know nothing of `localhost` and its like. */
async function addressesInHostsFile(name: string): Promise<string[]> {
  const lines = (await readFile(HOSTS_FILE, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((alias) => alias.toLowerCase() === name) ? [address] : [];
  });
}

const MAX_NAMES = 10_000;

interface Entry {
  addresses: string[];
  /** By the clock that nobody sets. */
  validUntil: number;
}

/** How long answers are kept, whatever they say themselves; a name without an address counts as one as well. */
interface Lifetimes {
  minMs: number;
  maxMs: number;
  unknownMs: number;
}

const LIFETIMES: Lifetimes = { minMs: 5_000, maxMs: 60_000, unknownMs: 5_000 };

export interface NameResolver extends Component {
  /** The addresses of a name, in lower case and without a final dot. @throws UnresolvedName where none is known. */
  resolve(name: string): Promise<string[]>;
  stop(): Promise<void>;
}

class UnresolvedName extends Error {
  readonly code = 'ERR_UNRESOLVED_NAME';
}

/**
 * Look-ups with a small memory; those of one name at the same time share one. `readsHostsFile`: what the machine's own file
 * says comes first, as for other programs.
 */
export function createNameResolver(options: {
  servers: readonly string[];
  readsHostsFile: boolean;
  lifetimes?: Lifetimes | undefined;
  timeouts?: DnsTimeouts | undefined;
}): NameResolver {
  const { servers, readsHostsFile, lifetimes = LIFETIMES, timeouts } = options;
  const dns = createDnsQuery(servers, timeouts);
  const known = new Map<string, Entry>();
  const underWay = new Map<string, Promise<Entry>>();

  const ask = async (name: string): Promise<Entry> => {
    const local = readsHostsFile ? await addressesInHostsFile(name) : [];
    if (local.length > 0) return { addresses: local, validUntil: performance.now() + lifetimes.minMs };
    try {
      const records = await dns.addressesOf(name);
      const ttlMs = Math.min(...records.map(({ ttl }) => ttl * 1_000));
      const lifetimeMs = Math.min(Math.max(ttlMs, lifetimes.minMs), lifetimes.maxMs);
      return { addresses: records.map(({ address }) => address), validUntil: performance.now() + lifetimeMs };
    } catch {
      return { addresses: [], validUntil: performance.now() + lifetimes.unknownMs };
    }
  };

  const learn = async (name: string): Promise<Entry> => {
    const entry = await ask(name).finally(() => underWay.delete(name));
    known.delete(name);
    known.set(name, entry);
    const [oldest] = known.keys();
    if (known.size > MAX_NAMES && oldest !== undefined) known.delete(oldest);
    return entry;
  };

  const entryOf = async (name: string): Promise<Entry> => {
    const entry = known.get(name);
    if (entry && entry.validUntil > performance.now()) return entry;
    const pending = underWay.get(name) ?? learn(name);
    underWay.set(name, pending);
    return pending;
  };

  return {
    name: 'name resolver',
    async resolve(name) {
      const { addresses } = await entryOf(name);
      if (addresses.length === 0) throw new UnresolvedName(`No address of ${name} is known.`);
      return addresses;
    },
    async stop() {
      dns.cancel();
    },
  };
}
