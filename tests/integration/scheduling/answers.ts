interface HasStatus {
  status: number;
}

/** Does it so many times at once. */
export const atOnce = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

export const withStatus = <Answer extends HasStatus>(answers: Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status);

export const statusesOf = (answers: HasStatus[]) => new Set(answers.map(({ status }) => status));

/** How many of the answers have each status. */
export const statusCounts = (answers: HasStatus[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  );
