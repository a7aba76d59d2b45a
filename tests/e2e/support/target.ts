import { sharedSystem } from '../../support/index.ts';
import type { LocalSystem } from './local-system.ts';
import { localOperator, type Operator, operatorBy } from './operator.ts';

/** A system to try from outside. */
export interface Target {
  gatewayUrl: string;
  operator: Operator;
  /** The name or address under which the system reaches this machine, and where a receiver must listen for that. */
  receiverHost: string;
  receiverListensOn: string;
}

/**
 * The system that the tests of this run share, or the one that runs already at FRONTDESK_E2E_URL. For that,
 * FRONTDESK_E2E_ADMIN is the command that runs its command line ("docker compose run --rm -T admin"),
 * FRONTDESK_E2E_RECEIVER_HOST where it finds us.
 */
export async function openTarget(): Promise<Target> {
  const { FRONTDESK_E2E_URL, FRONTDESK_E2E_ADMIN, FRONTDESK_E2E_RECEIVER_HOST } = process.env;
  if (!FRONTDESK_E2E_URL) return targetOf(await sharedSystem());
  const command = FRONTDESK_E2E_ADMIN ?? `${process.execPath} scripts/admin/main.ts`;
  return {
    gatewayUrl: FRONTDESK_E2E_URL,
    operator: operatorBy(command.split(' '), process.env),
    receiverHost: FRONTDESK_E2E_RECEIVER_HOST ?? '127.0.0.1',
    receiverListensOn: FRONTDESK_E2E_RECEIVER_HOST ? '0.0.0.0' : '127.0.0.1',
  };
}

export function targetOf(system: Pick<LocalSystem, 'urls' | 'portBase' | 'keysDirectory'>): Target {
  return {
    gatewayUrl: system.urls.gateway,
    operator: localOperator(system),
    receiverHost: '127.0.0.1',
    receiverListensOn: '127.0.0.1',
  };
}
