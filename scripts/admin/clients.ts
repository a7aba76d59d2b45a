import { join } from 'node:path';
import { createIdentitySigner, createServiceClient, type ServiceClient } from '@frontdesk/service';
import { REPOSITORY } from '../repository.ts';
import { portBaseFrom, systemPorts } from '../start/ports.ts';
import { internalPortOf, systemUrls } from '../start/service-catalog.ts';
import { Unreachable } from './faults.ts';

type Service = 'gateway' | 'scheduling' | 'crm' | 'calls' | 'webhooks' | 'settings-ui';

/** Calls one service's internal API as the operator. The connection is closed when `work` is done. */
export async function withService<Result>(
  service: Service,
  work: (client: ServiceClient) => Promise<Result>,
): Promise<Result> {
  const baseUrl = addressOf(service);
  const client = createServiceClient({
    baseUrl,
    audience: service,
    role: 'operator',
    signer: await operatorSigner(),
    timeoutMs: 10_000,
  });
  try {
    return await work(client);
  } catch (error) {
    throw Unreachable.from(error, service, baseUrl);
  } finally {
    await client.stop();
  }
}

async function operatorSigner() {
  const privateKeyFile = process.env.OPERATOR_KEY_FILE || join(REPOSITORY, '.local', 'keys', 'operator.json');
  try {
    return await createIdentitySigner({ issuer: 'operator', privateKeyFile });
  } catch (cause) {
    throw new Unreachable(
      `The operator's key can't be read from ${privateKeyFile}. Start the system first (npm start), or set OPERATOR_KEY_FILE.`,
      { cause },
    );
  }
}

/** From the environment, else where `npm start` puts the service. */
function addressOf(service: Service): string {
  const given = process.env[`${service.toUpperCase().replace('-', '_')}_INTERNAL_URL`];
  return given || systemUrls(systemPorts(portBaseFrom(process.env)))[internalPortOf(service)];
}
