interface Look<Value> {
  value: Promise<Value>;
  /** Null while it is under way. */
  freshUntilMs: number | null;
}

/**
 * What several streams look at. Each key is read at most once in `everyMs`, whoever looks how often, and by one reading at a time;
 * so all that look see a change at once.
 */
export function createSharedLooks<Value>({ everyMs }: { everyMs: number }) {
  const looks = new Map<string, Look<Value>>();
  /** Nobody has looked at these lately. */
  const forgetOld = () => {
    for (const [key, { freshUntilMs }] of looks)
      if (freshUntilMs !== null && freshUntilMs + everyMs < performance.now()) looks.delete(key);
  };
  const freshForMs = (key: string): number => {
    const freshUntilMs = looks.get(key)?.freshUntilMs ?? 0;
    return Math.max(0, Math.ceil(freshUntilMs - performance.now()));
  };

  return {
    /** What there is now. `read` gets what there was before, if somebody has looked lately. */
    look(key: string, read: (before: Value | undefined) => Promise<Value>): Promise<Value> {
      const known = looks.get(key);
      if (known && (known.freshUntilMs === null || freshForMs(key) > 0)) return known.value;
      const value = Promise.resolve(known?.value.catch(() => undefined)).then(read);
      const look: Look<Value> = { value, freshUntilMs: null };
      const settle = () => {
        look.freshUntilMs = performance.now() + everyMs;
        setTimeout(forgetOld, 3 * everyMs).unref();
      };
      value.then(settle, settle);
      looks.set(key, look);
      return value;
    },
    /** How long it is until looking again shows anything else. While it is being read, that is now. */
    freshForMs,
  };
}
