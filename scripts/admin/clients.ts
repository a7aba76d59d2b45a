import { join, relative, resolve } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import {
  createIdentitySigner,
  createServiceClient,
  type ServiceClient,
  type ServiceRequest,
} from '@frontdesk/service';
import type { z } from 'zod';
import { REPOSITORY } from '../repository.ts';
import { portBaseFrom, systemPorts } from '../start/ports.ts';
import { internalPortOf, systemUrls } from '../start/service-catalog.ts';
import { Unreachable, WrongInput } from './faults.ts';

/** Long: an operator prefers waiting to not knowing whether a change was made. */
const ANSWERS_WITHIN_MS = 60_000;

export type Service = Exclude<Issuer, 'operator'>;

/** Calls one service's internal API as the operator. The connection is closed when `work` is done. */
export async function withService<Result>(
  service: Service,
  work: (client: ServiceClient) => Promise<Result>,
  timeoutMs = ANSWERS_WITHIN_MS,
): Promise<Result> {
  const baseUrl = await addressOf(service);
  const client = createServiceClient({
    baseUrl,
    audience: service,
    role: 'operator',
    signer: await operatorSigner(),
    timeoutMs,
  });
  try {
    return await work(client);
  } catch (error) {
    throw Unreachable.from(error, service, baseUrl);
  } finally {
    await client.stop();
  }
}

/** The same for a single request. */
export const requestTo =
  (service: Service, timeoutMs?: number) =>
  <Schema extends z.ZodType>(
    method: ServiceRequest<Schema>['method'],
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema>> =>
    withService(
      service,
      (client) => client.request({ method, path, schema, ...(body && { body }) }),
      timeoutMs,
    );

async function operatorSigner() {
  const privateKeyFile = process.env.OPERATOR_KEY_FILE || join(systemDirectory(), 'keys', 'operator.json');
  try {
    return await createIdentitySigner({ issuer: 'operator', privateKeyFile });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Unreachable(
      `The operator's key can't be read (${privateKeyFile}: ${why}). Start the system first (npm start), or set OPERATOR_KEY_FILE.`,
      { cause },
    );
  }
}

/** `<SERVICE>_INTERNAL_URL`, else the port of the system that `npm start` runs. */
export async function addressOf(service: Service): Promise<string> {
  const variable = `${service.toUpperCase().replace('-', '_')}_INTERNAL_URL`;
  const given = process.env[variable];
  if (given && !/^https?:$/.test(URL.parse(given)?.protocol ?? ''))
    throw new WrongInput(`${variable} is no http address: ${given}`);
  if (given) return given;
  const directory = systemDirectory();
  const base = process.env.PORT_BASE ? givenPortBase() : await runningPortBaseIn(directory);
  if (base !== undefined) return systemUrls(systemPorts(base))[internalPortOf(service)];
  throw new Unreachable(
    `No system runs in ${relative(process.cwd(), directory) || '.'}. Start it (npm start), or set SYSTEM_DIRECTORY, PORT_BASE or ${variable} to reach another one.`,
  );
}

function givenPortBase(): number {
  try {
    return portBaseFrom(process.env);
  } catch (error) {
    throw new WrongInput((error as Error).message);
  }
}

/** Loaded only where it is asked for: the image of the tools, in which all addresses are given, has no local stack. */
async function runningPortBaseIn(directory: string): Promise<number | undefined> {
  const { runningPortBase } = await import('../start/instance-lock.ts');
  return runningPortBase(directory);
}

/** Where `npm start` keeps its state, as its `--directory` says. */
function systemDirectory(): string {
  return resolve(process.env.SYSTEM_DIRECTORY || join(REPOSITORY, '.local'));
}
