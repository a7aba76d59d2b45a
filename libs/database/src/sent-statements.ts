/** A transaction's statements that nobody waits for: what became of them shows at its end. */
export interface SentStatements {
  add(statement: Promise<unknown>): void;
  /** Waits for all. @throws what the first of them failed with; those behind it failed because of it. */
  settle(): Promise<void>;
}

export function createSentStatements(): SentStatements {
  const statements: Promise<unknown>[] = [];
  return {
    add(statement) {
      // Heard of when they are settled: until then nobody listens.
      statement.catch(() => {});
      statements.push(statement);
    },
    async settle() {
      const settled = await Promise.allSettled(statements.splice(0));
      const failed = settled.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}
