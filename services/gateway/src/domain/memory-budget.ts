/** What one request holds of the budget. */
export interface Share {
  /** Holds so many bytes more, or none of them where that is too much. */
  hold(bytes: number): boolean;
  /** Gives everything back; it may be said twice. */
  release(): void;
}

export interface MemoryBudget {
  /** For somebody by whatever tells them from others. */
  open(holder: number | string): Share;
  /** Bytes that all requests hold at the moment. */
  held(): number;
}

/** A bound to what all requests hold together, of which no holder gets more than its part. */
export function createMemoryBudget(limits: { totalBytes: number; holderBytes: number }): MemoryBudget {
  const byHolder = new Map<number | string, number>();
  let total = 0;

  const add = (holder: number | string, bytes: number) => {
    const held = (byHolder.get(holder) ?? 0) + bytes;
    total += bytes;
    if (held === 0) byHolder.delete(holder);
    else byHolder.set(holder, held);
  };

  return {
    held: () => total,
    open(holder) {
      let own = 0;
      return {
        hold(bytes) {
          const held = byHolder.get(holder) ?? 0;
          if (total + bytes > limits.totalBytes || held + bytes > limits.holderBytes) return false;
          own += bytes;
          add(holder, bytes);
          return true;
        },
        release() {
          add(holder, -own);
          own = 0;
        },
      };
    },
  };
}
