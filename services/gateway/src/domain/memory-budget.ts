/** What one request holds of the budget. */
export interface Share {
  /** Holds so many bytes more, or none of them where that is too much. */
  hold(bytes: number): boolean;
  /** Gives everything back; it may be said twice. */
  release(): void;
}

export interface MemoryBudget {
  open(tenantId: number): Share;
  /** Bytes that all requests hold at the moment. */
  held(): number;
}

/** A bound to what all requests hold together, of which no tenant gets more than its part. */
export function createMemoryBudget(limits: { totalBytes: number; tenantBytes: number }): MemoryBudget {
  const byTenant = new Map<number, number>();
  let total = 0;

  const add = (tenantId: number, bytes: number) => {
    const held = (byTenant.get(tenantId) ?? 0) + bytes;
    total += bytes;
    if (held === 0) byTenant.delete(tenantId);
    else byTenant.set(tenantId, held);
  };

  return {
    held: () => total,
    open(tenantId) {
      let own = 0;
      return {
        hold(bytes) {
          const held = byTenant.get(tenantId) ?? 0;
          if (total + bytes > limits.totalBytes || held + bytes > limits.tenantBytes) return false;
          own += bytes;
          add(tenantId, bytes);
          return true;
        },
        release() {
          add(tenantId, -own);
          own = 0;
        },
      };
    },
  };
}
