import { setImmediate } from 'node:timers';

/** Nothing came in time. */
export class TimeOutError extends Error {
  constructor(ms: number) {
    super(`Nothing came within ${ms} ms.`);
    this.name = 'TimeOutError';
  }
}

/**
 * What the work comes to, or what `late` gives (or throws) where that takes longer than `ms` milliseconds. The work itself goes on: it
 * has bounds of its own, and nobody hears of its end then.
 *
 * An answer that has arrived, and waits behind a busy event loop, still counts: one more turn of the loop lets it be read.
 * @throws TimeOutError where no `late` is given; whatever the work throws in time
 */
export function within<Result, Late = never>(
  ms: number,
  work: PromiseLike<Result>,
  late: () => Late = () => {
    throw new TimeOutError(ms);
  },
): Promise<Result | Late> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | Late>();
  let lastLook: NodeJS.Immediate | undefined;
  const end = () => {
    try {
      resolve(late());
    } catch (error) {
      reject(error);
    }
  };
  const timer = setTimeout(() => {
    lastLook = setImmediate(end);
  }, ms);
  const clear = () => {
    clearTimeout(timer);
    clearImmediate(lastLook);
  };
  work.then(
    (result) => {
      clear();
      resolve(result);
    },
    (error) => {
      clear();
      reject(error);
    },
  );
  return promise;
}

/** Whether the work ended, well or not, within so many milliseconds. Never rejects. */
export const endsWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  within(
    ms,
    work.then(
      () => true,
      () => true,
    ),
    () => false,
  );
