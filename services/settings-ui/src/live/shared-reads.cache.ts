interface Read<Value> {
  value: Promise<Value>;
  /** Infinity before it has. */
  beganAtMs: number;
  /** Null while it is under way. */
  freshUntilMs: number | null;
}

/**
 * What several streams or pages show. Each key is read at most once in `everyMs`, however many ask, and by one read at
 * a time; so all of them see a change at once.
 */
export function createSharedReads<Value>({ everyMs }: { everyMs: number }) {
  const reads = new Map<string, Read<Value>>();
  /** Nobody has asked for these lately. */
  const forgetOld = () => {
    for (const [key, { freshUntilMs }] of reads)
      if (freshUntilMs !== null && freshUntilMs + everyMs < performance.now()) reads.delete(key);
  };
  const freshForMs = (key: string): number => {
    const freshUntilMs = reads.get(key)?.freshUntilMs ?? 0;
    return Math.max(0, Math.ceil(freshUntilMs - performance.now()));
  };

  return {
    /**
     * Returns the latest value, reading it if it is older than `everyMs`. `read` is given the previous value, if it
     * is still kept. `notBeforeMs` (of `performance.now()`): a value whose read began earlier is not returned, as the
     * page has shown newer data already.
     */
    get(
      key: string,
      read: (before: Value | undefined) => Promise<Value>,
      { notBeforeMs = Number.NEGATIVE_INFINITY } = {},
    ): Promise<Value> {
      const known = reads.get(key);
      const isRecent = known && (known.freshUntilMs === null || freshForMs(key) > 0);
      if (isRecent && known.beganAtMs >= notBeforeMs) return known.value;
      const value = Promise.resolve(known?.value.catch(() => undefined)).then((before) => {
        current.beganAtMs = performance.now();
        return read(before);
      });
      const current: Read<Value> = { value, beganAtMs: Number.POSITIVE_INFINITY, freshUntilMs: null };
      const settle = () => {
        current.freshUntilMs = performance.now() + everyMs;
        setTimeout(forgetOld, 3 * everyMs).unref();
      };
      value.then(settle, settle);
      reads.set(key, current);
      return value;
    },
    /** How long it is until reading again shows anything else. While it is being read, that is now. */
    freshForMs,
  };
}
