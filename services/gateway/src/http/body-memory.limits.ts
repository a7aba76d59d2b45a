import type { Metrics } from '@frontdesk/service';
import { Gauge } from 'prom-client';

const MEBIBYTE = 1024 * 1024;
/** Memory for the bodies of all requests with a key, and as much for all messages of providers. A body beyond it is refused. */
export const BODY_MEMORY = 64 * MEBIBYTE;
/** Of either memory, the most for one tenant: for its requests, or for the messages to its sources. */
export const TENANT_MEMORY = 16 * MEBIBYTE;
/** The most for messages from one address: all customers of a provider share its few addresses. */
export const ADDRESS_MEMORY = 32 * MEBIBYTE;

/** How much of the budget one holder may have. */
export interface HolderBound {
  /** A tenant, or an address. */
  holder: number | string;
  bytes: number;
}

/** The memory that one body holds. */
export interface Share {
  /** Takes so many more bytes. False, and nothing is taken, if the budget or the bound of a holder does not allow it. */
  hold(bytes: number): boolean;
  /** Gives all bytes back; a second call does nothing. */
  release(): void;
}

export interface MemoryBudget {
  /** For a body that counts against each of these holders. */
  open(bounds: readonly HolderBound[]): Share;
  /** Bytes that all bodies hold at the moment. */
  held(): number;
}

/** Bounds the memory of all bodies together, and of the bodies of each holder. */
export function createMemoryBudget({ totalBytes }: { totalBytes: number }): MemoryBudget {
  const byHolder = new Map<number | string, number>();
  let total = 0;
  const heldBy = (holder: number | string) => byHolder.get(holder) ?? 0;

  return {
    held: () => total,
    open(bounds) {
      let own = 0;
      const change = (by: number) => {
        own += by;
        total += by;
        for (const { holder } of bounds) {
          const held = heldBy(holder) + by;
          if (held === 0) byHolder.delete(holder);
          else byHolder.set(holder, held);
        }
      };
      return {
        hold(more) {
          if (total + more > totalBytes) return false;
          if (bounds.some(({ holder, bytes }) => heldBy(holder) + more > bytes)) return false;
          change(more);
          return true;
        },
        release: () => change(-own),
      };
    },
  };
}

/** Reports what the bodies of all budgets hold at each scrape. */
export function watchBodies({ registry }: Metrics, budgets: readonly MemoryBudget[]): void {
  new Gauge({
    name: 'gateway_request_body_bytes',
    help: 'Memory that bodies of requests under way hold.',
    registers: [registry],
    collect() {
      this.set(budgets.reduce((sum, budget) => sum + budget.held(), 0));
    },
  });
}
