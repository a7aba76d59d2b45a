type Asked<Found> = PromiseWithResolvers<Found | null>;

/**
 * Makes one look-up at a time. Keys that are asked for meanwhile share the next one, so any number of callers takes one
 * connection and few statements.
 */
export function batchedLookup<Found>(
  findMany: (keys: string[]) => Promise<Map<string, Found>>,
  maxBatch = 1_000,
): (key: string) => Promise<Found | null> {
  const waiting = new Map<string, Asked<Found>>();
  let isUnderWay = false;

  const run = async () => {
    isUnderWay = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, maxBatch);
      for (const [key] of batch) waiting.delete(key);
      await findMany(batch.map(([key]) => key)).then(
        (found) => {
          for (const [key, { resolve }] of batch) resolve(found.get(key) ?? null);
        },
        (error: Error) => {
          for (const [, { reject }] of batch) reject(error);
        },
      );
    }
    isUnderWay = false;
  };

  return (key) => {
    const asked = waiting.get(key) ?? Promise.withResolvers<Found | null>();
    waiting.set(key, asked);
    if (!isUnderWay) void run();
    return asked.promise;
  };
}
