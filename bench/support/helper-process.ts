import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the benchmark's own beside what is measured; asked one question at a time. */
export interface HelperProcess<Question extends object> {
  pid: number;
  ask<Answer>(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** @param entry a script that calls `answerQuestions` */
export async function startHelper<Question extends object>(entry: string): Promise<HelperProcess<Question>> {
  const child = fork(entry);
  const ended = once(child, 'exit');
  const next = async () => {
    const [first] = await Promise.race([once(child, 'message'), ended.then(() => [null])]);
    if (first === null) throw new Error(`${entry} ended.`);
    return (first as { answer: unknown }).answer;
  };
  await next();
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(question: Question) {
      if (!child.connected) throw new Error(`${entry} has ended.`);
      child.send(question);
      return (await next()) as Answer;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The helper's own side: ready from now on, and gone with the process that started it. */
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.once('disconnect', () => process.exit());
  // Ctrl-C reaches the whole group: the benchmark itself says when it is over.
  process.on('SIGINT', () => {});
  process.on('message', (question: Question) => {
    void answer(question).then((answered) => process.send?.({ answer: answered }));
  });
  process.send?.({ answer: null });
}
