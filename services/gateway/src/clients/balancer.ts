import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { Pool } from 'undici';
import { type CallLine, createCallLine } from '../state/call-line.ts';
import { type Circuit, createCircuit } from '../state/circuit.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** To one address, where the upstream has no number of its own. */
const CONNECTIONS = 128;

/** One address behind a service's name. */
export interface Backend {
  address: string;
  pool: Pool;
  circuit: Circuit;
  /** Every call goes through it. */
  line: CallLine;
  /** When it was last picked, as a number that grows: of those that have equally much to do, each gets its turn. */
  lastTurn: number;
}

export interface Balancer {
  /** Where the next call goes: the one with the fewest calls, of those that aren't resting and weren't tried; null for none. */
  pick(tried: ReadonlySet<Backend>): Backend | null;
  /** Milliseconds until an address can be tried again. */
  restMs(): number;
  /** Looks the name's addresses up. One that is gone ends its calls and gets no more; what waits for it goes to another. */
  refresh(): Promise<void>;
  backends(): readonly Backend[];
  close(): Promise<void>;
}

/** Addresses of a name. */
export type ResolveName = (hostname: string) => Promise<string[]>;

const resolveBySystem: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** All addresses of a service's name, each with connections and a circuit of its own. */
export function createBalancer(options: {
  url: string;
  /** To each address. */
  connections?: number | undefined;
  resolveName?: ResolveName | undefined;
}): Balancer {
  const { url, connections = CONNECTIONS, resolveName = resolveBySystem } = options;
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  let backends: Backend[] = [];
  let turn = 0;

  return {
    pick(tried) {
      let best: Backend | null = null;
      for (const backend of backends) {
        if (tried.has(backend) || backend.circuit.restMs() > 0) continue;
        if (!best || comesBefore(backend, best)) best = backend;
      }
      turn += 1;
      if (best) best.lastTurn = turn;
      return best;
    },
    restMs: () => Math.min(...backends.map(({ circuit }) => circuit.restMs())),
    async refresh() {
      const addresses = new Set(await resolveName(hostname));
      const gone = backends.filter(({ address }) => !addresses.has(address));
      const known = new Map(backends.map((backend) => [backend.address, backend]));
      backends = [...addresses].map(
        (address) => known.get(address) ?? backendAt(address, { url, connections }),
      );
      for (const { pool } of gone) void pool.close();
    },
    backends: () => backends,
    async close() {
      await Promise.all(backends.map(({ pool }) => pool.close()));
    },
  };
}

function comesBefore(one: Backend, other: Backend): boolean {
  const [isDoubtful, isOtherDoubtful] = [one.circuit.isDoubtful(), other.circuit.isDoubtful()];
  if (isDoubtful !== isOtherDoubtful) return isOtherDoubtful;
  const [calls, otherCalls] = [one.line.size(), other.line.size()];
  return calls === otherCalls ? one.lastTurn < other.lastTurn : calls < otherCalls;
}

function backendAt(address: string, { url, connections }: { url: string; connections: number }): Backend {
  const family = isIPv6(address) ? 6 : 4;
  const pool = new Pool(url, {
    connections,
    // The name stays in the Host header and in TLS; only the connection goes to this one address.
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      lookup: (_name, { all }, done) =>
        all ? done(null, [{ address, family }]) : done(null, address, family),
    },
  });
  return {
    address,
    pool,
    circuit: createCircuit(),
    line: createCallLine({ places: connections }),
    lastTurn: 0,
  };
}
