import { createAddressGuard } from '../../../services/webhooks/src/receivers/address-guard.client.ts';
import { createNameResolver } from '../../../services/webhooks/src/receivers/name-resolver.client.ts';
import { parsePortRanges } from '../../../services/webhooks/src/receivers/ports.rules.ts';

/** Every connection looks its name up again. */
export const FORGETFUL = { minMs: 0, maxMs: 0, unknownMs: 0 };

/** No answer is late: a test that is about a late one has it come never, and says how long is waited. */
export const PATIENT = { tryMs: 600_000, queryMs: 600_000 };

/** A guard over a resolver of its own, as the service puts them together. */
export function startGuard(
  options: {
    allowHttp?: boolean;
    allowPrivate?: boolean;
    servers?: string[];
    ports?: string;
    lifetimes?: typeof FORGETFUL;
    timeouts?: typeof PATIENT;
    isAllowed?: (address: string) => boolean;
  } = {},
) {
  const {
    allowHttp = true,
    allowPrivate = false,
    servers = [],
    ports = '1-65535',
    lifetimes,
    timeouts = PATIENT,
    isAllowed,
  } = options;
  const resolver = createNameResolver({ servers, readsHostsFile: allowPrivate, lifetimes, timeouts });
  const rules = { allowHttp, allowPrivate, ports: parsePortRanges(ports) ?? [] };
  const guard = createAddressGuard({ rules, resolver, isAllowed });
  return { guard, resolver };
}
