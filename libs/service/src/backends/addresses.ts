import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { Pool } from 'undici';
import { type CallQueue, createCallQueue } from './call-queue.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import { createLiveness, type Liveness } from './liveness.ts';

/** One process of a service, at one of the addresses behind the service's name. */
export interface Backend {
  address: string;
  pool: Pool;
  circuit: Circuit;
  /** Every call goes through it. */
  calls: CallQueue;
  /** Whether the process answers at all. */
  liveness: Liveness;
  /** The number of the pick that last chose it: of equally busy addresses, the one that was chosen longest ago is next. */
  lastPick: number;
}

export interface Addresses {
  /**
   * The address for the next call: the one with the fewest calls, of those that can be reached, whose breaker is closed and that were not tried. Null:
   * there is none. A silent process is picked only if there is no other.
   */
  pick(tried: ReadonlySet<Backend>): Backend | null;
  /** Whether there is one for a call that has tried none. */
  isOpen(): boolean;
  /** Whether another one takes calls and is not silent. */
  hasLivelyBeside(backend: Backend, tried?: ReadonlySet<Backend>): boolean;
  /** Milliseconds until a breaker lets a call through again. */
  openForMs(): number;
  /** Looks the name's addresses up. A removed address finishes its calls and gets no more; those that wait for it go to another. */
  refresh(): Promise<void>;
  /** Milliseconds since they were looked up. */
  ageMs(): number;
  backends(): readonly Backend[];
  close(): Promise<void>;
}

/** Addresses of a name. */
export type ResolveName = (hostname: string) => Promise<string[]>;

const resolveBySystem: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

interface AddressOptions {
  url: string;
  /** To each address. */
  connections: number;
  connectTimeoutMs: number;
  /** For how long a process may be silent. */
  silenceMs: number;
  /** A process lives again. */
  onBack: () => void;
}

/** All addresses of a service's name, each with connections and a circuit of its own. */
export function createAddresses(
  options: AddressOptions & { resolveName?: ResolveName | undefined },
): Addresses {
  const { url, resolveName = resolveBySystem } = options;
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  let backends: Backend[] = [];
  let picks = 0;
  let refreshedMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;

  const close = ({ pool, liveness }: Backend) => Promise.all([pool.close(), liveness.close()]);
  const lookUp = async () => {
    const addresses = new Set(await resolveName(hostname));
    refreshedMs = performance.now();
    const gone = backends.filter(({ address }) => !addresses.has(address));
    const known = new Map(backends.map((backend) => [backend.address, backend]));
    backends = [...addresses].map((address) => known.get(address) ?? backendAt(address, options));
    for (const backend of gone) {
      void close(backend);
      // Each finds the pool closed, and goes on to another.
      backend.calls.startAll();
    }
  };

  return {
    pick(tried) {
      let best: Backend | null = null;
      for (const backend of backends) {
        if (tried.has(backend) || !takesCalls(backend)) continue;
        if (!best || comesBefore(backend, best)) best = backend;
      }
      picks += 1;
      if (best) best.lastPick = picks;
      return best;
    },
    isOpen: () => backends.some(takesCalls),
    hasLivelyBeside: (backend, tried) =>
      backends.some(
        (other) => other !== backend && !tried?.has(other) && takesCalls(other) && !other.liveness.isSilent(),
      ),
    openForMs: () => Math.min(...backends.map(({ circuit }) => circuit.openForMs())),
    refresh() {
      underWay ??= lookUp().finally(() => {
        underWay = null;
      });
      return underWay;
    },
    ageMs: () => performance.now() - refreshedMs,
    backends: () => backends,
    async close() {
      await Promise.all(backends.map(close));
    },
  };
}

const takesCalls = ({ circuit, liveness }: Backend) => !liveness.isUnreachable() && circuit.openForMs() === 0;

function comesBefore(one: Backend, other: Backend): boolean {
  const [isSilent, isOtherSilent] = [one.liveness.isSilent(), other.liveness.isSilent()];
  if (isSilent !== isOtherSilent) return isOtherSilent;
  const [isDoubtful, isOtherDoubtful] = [one.circuit.isDoubtful(), other.circuit.isDoubtful()];
  if (isDoubtful !== isOtherDoubtful) return isOtherDoubtful;
  const [calls, otherCalls] = [one.calls.size(), other.calls.size()];
  return calls === otherCalls ? one.lastPick < other.lastPick : calls < otherCalls;
}

function backendAt(
  address: string,
  { url, connections, connectTimeoutMs, silenceMs, onBack }: AddressOptions,
): Backend {
  const family = isIPv6(address) ? 6 : 4;
  const poolOf = (size: number) =>
    new Pool(url, {
      connections: size,
      // The name stays in the Host header and in TLS; only the connection goes to this one address.
      connect: {
        timeout: connectTimeoutMs,
        lookup: (_name, { all }, done) =>
          all ? done(null, [{ address, family }]) : done(null, address, family),
      },
    });
  const calls = createCallQueue({ places: connections });
  return {
    address,
    pool: poolOf(connections),
    circuit: createCircuit(),
    calls,
    liveness: createLiveness({ calls, pool: poolOf(1), silenceMs, onBack }),
    lastPick: 0,
  };
}
