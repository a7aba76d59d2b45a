/** The variables by which an engine is used that runs already. */
type EngineVariable = 'DATABASE_URL' | 'REDIS_URL' | 'KAFKA_BROKERS';

/** An engine that the starter has given can't be used as it is. The message begins with the variable that names it. */
export class GivenEngineFault extends Error {
  readonly variable: EngineVariable;

  constructor(variable: EngineVariable, cause: Error) {
    super(`${variable}: ${saidBy(cause)}`);
    this.variable = variable;
  }
}

/** Does `work`, which needs an engine. @throws GivenEngineFault where it fails and a variable names that engine */
export async function withGivenEngine<Result>(
  env: NodeJS.ProcessEnv,
  variable: EngineVariable,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!env[variable] || !(error instanceof Error)) throw error;
    throw new GivenEngineFault(variable, error);
  }
}

/** An error of several addresses says nothing itself. */
function saidBy(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message || (first instanceof Error ? first.message : error.name);
}
