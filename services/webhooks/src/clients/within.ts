/** The promise's own end, if it comes in time. @throws Error once `ms` have passed; what still runs is its owner's. */
export async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Nothing came within ${ms} ms.`)), ms);
  try {
    return await Promise.race([promise, passed]);
  } finally {
    clearTimeout(timer);
  }
}
