import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { type App, createLogger, createMetrics, loadConfig, startComponents } from '@frontdesk/service';
import { configSchema } from '../../services/scheduling/src/config.ts';
import { buildScheduling } from '../../services/scheduling/src/service.ts';
import { type BenchEnvironment, serviceEnv } from '../support/environment.ts';
import { readingsOf } from '../support/plans.ts';
import { everyQuery, type Send } from './queries.ts';

/** Prints which index stands behind each statement that reads appointments. @returns whether all have one. */
export async function checkPlans(environment: BenchEnvironment, tenant: number): Promise<boolean> {
  const logger = createLogger({ name: 'plans', level: 'warn' });
  const config = loadConfig(configSchema, {
    ...serviceEnv(environment, 'scheduling'),
    PORT: '0',
    INTERNAL_PORT: '0',
  });
  const { components, api, internal } = await buildScheduling(config, { logger, metrics: createMetrics() });
  const running = await startComponents(
    components.filter(({ name }) => name === 'database'),
    logger,
  );
  try {
    const send = await createSend(environment, tenant, { api, internal });
    const work = () => everyQuery(tenant, send);
    const readings = await environment.withClient((client) => readingsOf(client, 'appointments', work));
    const indexes = new Map<string, Set<string>>();
    for (const { statement, index } of readings)
      indexes.getOrInsertComputed(statement, () => new Set()).add(index ?? 'THE WHOLE TABLE');
    for (const [statement, used] of indexes) console.log(`${statement.padEnd(48)} ${[...used].join(', ')}`);
    return readings.length > 0 && readings.every(({ index }) => index !== null);
  } finally {
    await running.stop();
  }
}

/** Sends a request to the routes themselves, as the tenant's integrator or as the operator. */
async function createSend(
  environment: BenchEnvironment,
  tenantId: number,
  { api, internal }: { api: App; internal: App },
): Promise<Send> {
  const audience = 'scheduling';
  const gateway = await environment.signer('gateway');
  const admin = await environment.signer('operator');
  const integrator = await gateway.sign({ audience, role: 'integrator', tenantId });
  const operator = await admin.sign({ audience, role: 'operator' });
  return async (method, url, body) => {
    const [app, token] = url.startsWith('/internal/') ? [internal, operator] : [api, integrator];
    const answer = await app.inject({
      method,
      url,
      headers: { [IDENTITY_HEADER]: token },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 400) throw new Error(`${method} ${url}: ${answer.body}`);
    return answer.json<{ data: { id?: number } }>().data;
  };
}
