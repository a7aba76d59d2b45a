import { createHash, randomInt } from 'node:crypto';
import * as testSequencer from '@jest/test-sequencer';

// Its types describe the CommonJS wrapper, not the class.
const TestSequencer = testSequencer.default as unknown as typeof testSequencer.default.default;
type Test = Parameters<InstanceType<typeof TestSequencer>['sort']>[0][number];

/**
 * Runs the test files in random order, so that none depends on another. Prints its seed; TEST_SEED repeats an order.
 * Used by `npm test -- --testSequencer=./tests/support/shuffled-sequencer.ts`.
 */
export default class ShuffledSequencer extends TestSequencer {
  readonly #seed = process.env.TEST_SEED || String(randomInt(1_000_000));

  override sort(tests: Test[]): Test[] {
    process.stderr.write(`Files are shuffled with TEST_SEED=${this.#seed}\n`);
    return tests.toSorted((a, b) => (this.#rank(a) < this.#rank(b) ? -1 : 1));
  }

  /** Hashes the path relative to the project, so that a seed gives the same order in every clone. */
  #rank({ path, context }: Test): string {
    const name = path.slice(context.config.rootDir.length);
    return createHash('sha256').update(`${this.#seed} ${name}`).digest('hex');
  }
}
