import { IDENTITY_HEADER } from '@frontdesk/contracts';
import { type App, createLogger, createMetrics, loadConfig, startComponents } from '@frontdesk/service';
import { buildCrm } from '../../services/crm/src/app.ts';
import { configSchema } from '../../services/crm/src/config.ts';
import { type BenchEnvironment, serviceEnv } from '../support/environment.ts';

export interface Answer {
  data: unknown;
  meta?: { total: number; total_is_estimate?: true; next_cursor?: string };
}

export type Send = (path: string) => Promise<Answer>;

/** Runs the work with crm's routes at hand, called as the tenant's integrator. */
export async function withCrm<Result>(
  environment: BenchEnvironment,
  tenantId: number,
  work: (send: Send) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger({ name: 'crm', level: 'warn' });
  const config = loadConfig(configSchema, {
    ...serviceEnv(environment, 'crm'),
    PORT: '0',
    INTERNAL_PORT: '0',
  });
  const { components, api } = await buildCrm(config, { logger, metrics: createMetrics() });
  const database = components.filter(({ name }) => name === 'database');
  const running = await startComponents(database, logger);
  try {
    return await work(await createSend(environment, tenantId, api));
  } finally {
    await running.stop();
  }
}

async function createSend(environment: BenchEnvironment, tenantId: number, api: App): Promise<Send> {
  const gateway = await environment.signer('gateway');
  const token = await gateway.sign({ audience: 'crm', role: 'integrator', tenantId });
  return async (path) => {
    const answer = await api.inject({ method: 'GET', url: path, headers: { [IDENTITY_HEADER]: token } });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
    return answer.json<Answer>();
  };
}
