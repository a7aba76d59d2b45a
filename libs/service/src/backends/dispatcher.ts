import { createFairQueue, type FairQueue } from '@frontdesk/fair';
import { Dispatcher } from 'undici';
import { type Addresses, createAddresses, type ResolveName } from './addresses.ts';
import {
  type BackendDispatchOptions,
  type BackendFailure,
  BackendRequest,
  type Holder,
  type RequestContext,
} from './backend-request.ts';

/** How often is looked whether a process has come back, or has gone silent. */
const CHECK_MS = 100;
/** After which addresses are looked up again, if anybody calls. */
const ADDRESSES_AGE_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** How long a request that has not begun waits for a process, all its waits together. */
export const BACKEND_WAIT_MS = 3_000;
/** How long a process may be silent while another one answers. */
export const BACKEND_SILENCE_MS = 2_000;
/** Unanswered requests to one service: further ones would not be answered in time either, so they are refused and not queued. */
export const MAX_UNANSWERED = 2_048;

export interface BackendOptions {
  /** The service; its name may lead to any number of processes. */
  url: string;
  /** Calls under way to one address. */
  connections: number;
  /** Requests that have no answer yet: beyond it they are refused. */
  maxUnanswered: number;
  connectTimeoutMs?: number | undefined;
  waitMs?: number | undefined;
  silenceMs?: number | undefined;
  /** What holders share with one another, and dispatchers too: each has so many requests under way. */
  holders?: FairQueue<Holder> | undefined;
  resolveName?: ResolveName | undefined;
  onFailure?: ((reason: BackendFailure) => void) | undefined;
}

/**
 * An undici dispatcher for one service, at all addresses behind its name. Each request goes through these steps, of which each has a
 * file of its own; none of them sends again what was sent.
 *
 * 1. bound: so many unanswered requests, of which one holder has at most as many as are left for others;
 * 2. a place of its holder, by a fair queue (`holders`);
 * 3. an address (addresses.ts), which its breaker (circuit.ts) lets take calls, and whose process can be reached and answers
 *    (liveness.ts). Where there is none, the request gives its place back and waits for one, up to `waitMs` in all;
 * 4. a connection to the address (call-queue.ts);
 * 5. what could not be sent there goes on to the next address (backend-request.ts).
 */
export class BackendDispatcher extends Dispatcher implements RequestContext {
  readonly addresses: Addresses;
  readonly holders: FairQueue<Holder> | undefined;
  readonly waitMs: number;
  readonly onFailure: (reason: BackendFailure) => void;
  readonly #unanswered: FairQueue<Holder | undefined>;
  readonly #checkMs: number;
  /** Composed, because `request` of undici 7 brings handlers of its older kind. */
  readonly #dispatch = new Dispatcher().compose(
    () => (options, handler) => this.#begin(options, handler),
  ).dispatch;
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: BackendOptions) {
    super();
    const { url, connections, connectTimeoutMs = CONNECT_TIMEOUT_MS, resolveName } = options;
    const { silenceMs = BACKEND_SILENCE_MS } = options;
    const onBack = () => this.#goOn();
    this.addresses = createAddresses({ url, connections, connectTimeoutMs, silenceMs, resolveName, onBack });
    this.waitMs = options.waitMs ?? BACKEND_WAIT_MS;
    this.holders = options.holders;
    this.onFailure = options.onFailure ?? (() => {});
    this.#unanswered = createFairQueue({
      places: options.maxUnanswered,
      perHolder: (free, holder) => (holder === undefined ? Number.POSITIVE_INFINITY : free),
    });
    this.#checkMs = Math.max(1, Math.min(CHECK_MS, silenceMs / 8));
  }

  override dispatch(options: BackendDispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#dispatch(options, handler);
  }

  #begin(options: BackendDispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { holder } = options;
    const request = new BackendRequest(this, options, handler);
    if (this.#isClosed || !this.#unanswered.take(holder)) {
      request.refuse(this.#isClosed ? 'the dispatcher is closed' : 'too many requests are unanswered');
      return false;
    }
    if (this.addresses.ageMs() > ADDRESSES_AGE_MS) this.#refresh();
    this.#check();
    request.start();
    return true;
  }

  settled(holder: Holder | undefined): void {
    this.#unanswered.giveBack(holder);
  }

  wait(goOn: () => void): void {
    this.#waiting.add(goOn);
    this.#check();
  }

  /** How many wait for a process. */
  waiting(): number {
    return this.#waiting.size;
  }

  stopWaiting(goOn: () => void): boolean {
    return this.#waiting.delete(goOn);
  }

  #goOn(): void {
    for (const goOn of [...this.#waiting]) {
      if (this.#waiting.delete(goOn)) goOn();
    }
  }

  #refresh(): void {
    // A name that can't be resolved is asked for again.
    this.addresses.refresh().then(
      () => this.#goOnIfPossible(),
      () => {},
    );
  }

  #goOnIfPossible(): void {
    if (this.#waiting.size > 0 && this.addresses.isOpen()) this.#goOn();
  }

  /** Looks at all addresses, again and again for as long as there is something to look at. */
  #check(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const isUrgent = this.#waiting.size > 0;
      if (isUrgent && this.addresses.ageMs() >= CHECK_MS) this.#refresh();
      const backends = this.addresses.backends();
      for (const backend of backends) {
        backend.liveness.check(isUrgent);
        // What is in its queue was not sent.
        if (backend.liveness.isSilent() && this.addresses.hasLivelyBeside(backend)) backend.calls.startAll();
      }
      this.#goOnIfPossible();
      if (isUrgent || !backends.every(({ liveness }) => liveness.isIdle())) this.#check();
    }, this.#checkMs).unref();
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.addresses.close();
  }

  override async destroy(): Promise<void> {
    await this.close();
  }
}
