/**
 * For what is counted in windows of time: does the test again where one of them ended meanwhile, whatever came of it.
 * @returns what the test did
 */
export async function withinOne<Result>(windowSeconds: number, test: () => Promise<Result>): Promise<Result> {
  const windowNow = () => Math.floor(Date.now() / (windowSeconds * 1_000));
  for (;;) {
    const window = windowNow();
    try {
      const result = await test();
      if (windowNow() === window) return result;
    } catch (error) {
      if (windowNow() === window) throw error;
    }
  }
}
