import { createHash, randomInt } from 'node:crypto';
import * as testSequencer from '@jest/test-sequencer';

/** The class itself: what its types say is that of its CommonJS form. */
const TestSequencer = testSequencer.default as unknown as typeof testSequencer.default.default;
type Test = Parameters<InstanceType<typeof TestSequencer>['sort']>[0][number];

/**
 * Runs the files in an order of chance, so that none leans on what another left behind. The seed is printed; TEST_SEED gives the
 * same order again. Used by `npm test -- --testSequencer=./tests/support/shuffled-sequencer.ts`.
 */
export default class ShuffledSequencer extends TestSequencer {
  readonly #seed = process.env.TEST_SEED || String(randomInt(1_000_000));

  override sort(tests: Test[]): Test[] {
    process.stderr.write(`Files are shuffled with TEST_SEED=${this.#seed}\n`);
    return tests.toSorted((a, b) => (this.#rank(a) < this.#rank(b) ? -1 : 1));
  }

  /** Of the path inside the project: the order doesn't depend on where a clone lies. */
  #rank({ path, context }: Test): string {
    const name = path.slice(context.config.rootDir.length);
    return createHash('sha256').update(`${this.#seed} ${name}`).digest('hex');
  }
}
