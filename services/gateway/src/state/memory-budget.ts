const MEBIBYTE = 1024 * 1024;
/** What bodies under way take of memory: those of requests with a key, and messages of providers. Beyond it they are refused. */
export const BODY_MEMORY = 64 * MEBIBYTE;
export const TENANT_MEMORY = 16 * MEBIBYTE;
export const SOURCE_MEMORY = 16 * MEBIBYTE;
/** All customers of a provider share its few addresses. */
export const ADDRESS_MEMORY = 32 * MEBIBYTE;

/** How much of the budget one holder may have. */
export interface HolderBound {
  /** A tenant, a source of calls, or an address. */
  holder: number | string;
  bytes: number;
}

/** What one body holds of the budget. */
export interface Share {
  /** Holds so many bytes more, or none of them where that is too much for the budget or for one of the holders. */
  hold(bytes: number): boolean;
  /** Gives everything back; it may be said twice. */
  release(): void;
}

export interface MemoryBudget {
  /** For a body that counts against each of these holders. */
  open(bounds: readonly HolderBound[]): Share;
  /** Bytes that all bodies hold at the moment. */
  held(): number;
}

/** A bound to what all bodies hold together, and to what those of one holder do. */
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
