import { join } from 'node:path';
import {
  createIdentitySigner,
  createServiceClient,
  type ServiceClient,
  type ServiceRequest,
} from '@frontdesk/service';
import type { z } from 'zod';
import { Unreachable } from './faults.ts';
import { addressOf, type Service, systemDirectory } from './running-system.ts';

/** Long: an operator prefers waiting to not knowing whether a change was made. */
const ANSWERS_WITHIN_MS = 60_000;

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
