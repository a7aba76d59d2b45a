import { inspect } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';
import { watchStatements } from './watch-statements.ts';

const POLL_MS = 20;
/** A connection that is being closed needs a moment for it, on a busy machine a long one. */
const CLOSED_WITHIN_MS = 100_000;

type Settings = ConstructorParameters<typeof TestEnvironment>;

/**
 * Jest's Node environment with two rules. A test file closes what it opens: it fails when a socket, server, timer or child
 * process of it still keeps the worker alive after `closedWithinMs`; the error lists the types. And no statement that it declares or
 * runs reaches the rows of another tenant than its own.
 */
export default class ClosedEnvironment extends TestEnvironment {
  /** Resources open before this file: jest's channel, and leftovers of earlier files, which failed for them. */
  readonly #known = countByType();
  readonly #closedWithinMs: number;
  /** What failed before: jest shows one fault of a file, and this is the first. */
  readonly #failures: string[] = [];
  readonly #statements = watchStatements();

  constructor(config: Settings[0], context: Settings[1]) {
    super(config, context);
    this.#closedWithinMs = Number(
      config.projectConfig.testEnvironmentOptions.closedWithinMs ?? CLOSED_WITHIN_MS,
    );
  }

  async handleTestEvent(event: { name: string; error?: unknown }): Promise<void> {
    if (event.name === 'hook_failure' || event.name === 'test_fn_failure')
      this.#failures.push(inspect(event.error));
    if (event.name !== 'teardown') return;
    const faults = await this.#statements.stop();
    if (faults.length > 0) throw new Error([...faults, ...this.#failures].join('\n'));
    const deadline = Date.now() + this.#closedWithinMs;
    while (this.#leftOpen().length > 0) {
      if (Date.now() > deadline)
        throw new Error(
          [`Left open after the tests: ${this.#leftOpen().join(', ')}.`, ...this.#failures].join('\n'),
        );
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  override async teardown(): Promise<void> {
    // Also after a file that could not be loaded.
    await this.#statements.stop();
    await super.teardown();
  }

  /** How many more of each type there are than when the file began. */
  #leftOpen(): string[] {
    return [...countByType()]
      .map(([type, count]) => ({ type, more: count - (this.#known.get(type) ?? 0) }))
      .filter(({ more }) => more > 0)
      .map(({ type, more }) => `${more} ${type}`);
  }
}

/** What keeps this process alive. Its own streams of output are opened first: a file that prints leaves nothing open. */
function countByType(): Map<string, number> {
  void [process.stdout, process.stderr];
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
