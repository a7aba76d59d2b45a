/**
 * Calls of one turn of the event loop become one call, and those that come while one is at work become the next. Where that fails,
 * each is made on its own, so that nobody fails for another's sake.
 */
export function mergeCalls<Item>(
  work: (items: Item[]) => Promise<void>,
  maxItems: number,
): (items: Item[]) => Promise<void> {
  let waiting: { items: Item[]; done: PromiseWithResolvers<void> }[] = [];
  let isAtWork = false;

  const takeNext = () => {
    let count = 0;
    const end = waiting.findIndex(({ items }, index) => {
      count += items.length;
      return count > maxItems && index > 0;
    });
    const next = end === -1 ? waiting : waiting.slice(0, end);
    waiting = waiting.slice(next.length);
    return next;
  };
  // What throws at once fails like what throws later.
  const attempt = async (items: Item[]) => work(items);
  const run = async () => {
    while (waiting.length > 0) {
      const calls = takeNext();
      const merged = calls.flatMap(({ items }) => items);
      const isDone =
        calls.length > 1 &&
        (await attempt(merged).then(
          () => true,
          () => false,
        ));
      // Side by side: what makes all of them wait is waited for once more, not once for each.
      await Promise.all(
        calls.map(({ items, done }) =>
          (isDone ? Promise.resolve() : attempt(items)).then(done.resolve, done.reject),
        ),
      );
    }
    isAtWork = false;
  };

  return (items) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ items, done });
    if (!isAtWork) {
      isAtWork = true;
      setImmediate(() => void run());
    }
    return done.promise;
  };
}
