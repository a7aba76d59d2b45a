import type { RecordWithTtl } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { within } from '@frontdesk/fair';

const TRIES = 4;

export interface DnsTimeouts {
  /** c-ares waits for less where a server has been quicker so far, and therefore tries more than once or twice. */
  tryMs: number;
  /** For all tries at all servers: well within a delivery's own time. */
  queryMs: number;
}
const TIMEOUTS: DnsTimeouts = { tryMs: 1_500, queryMs: 5_000 };

/**
 * Asks name servers by itself. `dns.lookup` would hold one of libuv's four threads for as long as a server hangs, so that four
 * names kept every tenant waiting. `servers` are addresses with or without a port; none of them: the system's.
 */
export function createDnsQuery(servers: readonly string[], { tryMs, queryMs }: DnsTimeouts = TIMEOUTS) {
  const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);

  return {
    /** The name's A and AAAA records. @throws Error where it has neither, or none could be learned in time. */
    async addressesOf(name: string): Promise<RecordWithTtl[]> {
      const families = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })];
      // A server that is silent about one family keeps nobody from the addresses of the other.
      const answers = await Promise.allSettled(families.map((family) => within(queryMs, family)));
      const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (records.length > 0) return records;
      const causes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null));
      throw new AggregateError(causes, `No address of ${name} is known.`);
    },
    /** Ends what is under way. */
    cancel: () => resolver.cancel(),
  };
}

/** Whether every one of them is the address of a name server, with or without a port. */
export function areNameServers(servers: readonly string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}
