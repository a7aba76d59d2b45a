import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** The body of an answer: all of it where it came together with its head, otherwise a stream. */
export interface AnswerBody {
  content: Buffer | Readable;
  /** Nobody wants it any more. */
  destroy(): void;
}

export const wholeBody = (content: Buffer): AnswerBody => ({ content, destroy() {} });

/** An answer as it comes: the backend waits with the rest while the client doesn't keep up. */
export class AnswerStream extends Readable implements AnswerBody {
  readonly content = this;
  readonly #controller: Dispatcher.DispatchController;
  #isWhole = false;

  constructor(controller: Dispatcher.DispatchController) {
    super();
    this.#controller = controller;
    // It may break before anyone sends it, which must not end the process; its sender gets the error all the same.
    this.on('error', () => {});
  }

  add(chunk: Buffer): void {
    if (!this.push(chunk)) this.#controller.pause();
  }

  end(): void {
    this.#isWhole = true;
    this.push(null);
  }

  override _read(): void {
    if (!this.#isWhole) this.#controller.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#isWhole) this.#controller.abort(error ?? new Error('nobody takes the answer'));
    done(error);
  }
}
