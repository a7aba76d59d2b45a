import { once } from 'node:events';
import { connect } from 'node:net';

const REACHED_WITHIN_MS = 5_000;
const REDIS_PORT = 6_379;
/** What an engine refuses already names it. */
const NAMES_A_VARIABLE = /^[A-Z]+_[A-Z_]+(, [A-Z_]+)*: /;

/** The variables by which an engine is used that runs already. */
type EngineVariable = 'DATABASE_URL' | 'REDIS_URL' | 'KAFKA_BROKERS';

/** An engine that the starter has given can't be used as it is. The message begins with the variable that names it. */
export class GivenEngineFault extends Error {
  readonly variable: EngineVariable;

  constructor(variable: EngineVariable, cause: Error) {
    super(`${variable}: ${saidBy(cause)}`, { cause });
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
    if (!env[variable] || !Error.isError(error) || NAMES_A_VARIABLE.test(error.message)) throw error;
    throw new GivenEngineFault(variable, error);
  }
}

/** An error of several addresses says nothing itself. */
function saidBy(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message || (first instanceof Error ? first.message : error.name);
}

/** Services would wait for a Redis that is away. @throws GivenEngineFault where REDIS_URL leads to nothing */
export async function reachGivenRedis(env: NodeJS.ProcessEnv): Promise<void> {
  if (!env.REDIS_URL) return;
  const address = env.REDIS_URL;
  await withGivenEngine(env, 'REDIS_URL', async () => {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port) || REDIS_PORT, hostname.replace(/^\[|\]$/g, ''));
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(REACHED_WITHIN_MS) }).catch(
        (error: Error) => {
          if (error.name !== 'AbortError') throw error;
          throw new Error(`${hostname} doesn't answer within ${REACHED_WITHIN_MS / 1_000} s`, {
            cause: error,
          });
        },
      );
    } finally {
      socket.destroy();
    }
  });
}
