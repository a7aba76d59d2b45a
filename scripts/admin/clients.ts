import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type InternalRoute, MAX_ACTOR } from '@frontdesk/contracts';
import {
  type Asked,
  createIdentitySigner,
  createServiceClient,
  requestOf,
  type ServiceClient,
} from '@frontdesk/service';
import { Unreachable } from './errors.ts';
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
    actor: operatorName(),
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

/** The same for a single request. Its body is what was typed: the service says what is wrong with it. */
export const requestTo =
  (service: Service, timeoutMs?: number) =>
  <const Declared extends InternalRoute>(
    declared: Declared,
    asked: Omit<Asked<Declared>, 'body'> & { body?: object },
  ) =>
    withService(
      service,
      (client) => client.request(requestOf(declared, asked as unknown as Asked<Declared>)),
      timeoutMs,
    );

/** Whom the audit logs name beside the operator: OPERATOR_NAME, else the user of this machine. */
function operatorName(): string {
  const name = process.env.OPERATOR_NAME || userOfMachine();
  // Cut before it is cleaned: half a character must not be left.
  return name
    .slice(0, MAX_ACTOR)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}

/** Of a user without a name, as in some containers, there is none to tell. */
function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

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
