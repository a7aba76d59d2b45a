import { invalid } from '@frontdesk/service';
import { type AddressGuard, AddressRefused } from '../clients/address-guard.ts';
import { within } from '../clients/within.ts';
import type { CreatedEndpoint, EndpointRepository, NewEndpoint } from '../data/endpoint.repository.ts';
import { hostOf, NOT_PUBLIC } from '../domain/destination.ts';
import { type EndpointRules, faultOfEndpointUrl } from '../domain/endpoint-url.ts';
import { generateSecret } from '../domain/signature.ts';

const LOOKUP_MS = 2_000;

export interface CreateEndpointDeps {
  endpoints: EndpointRepository;
  rules: EndpointRules;
  guard: AddressGuard;
}

/**
 * Adds an endpoint with a secret of its own; this is the only time that the secret is shown.
 * @throws AppError 422 on `url` where it can't be an endpoint's.
 */
export async function createEndpoint(
  { endpoints, rules, guard }: CreateEndpointDeps,
  tenantId: number,
  { url, events }: Omit<NewEndpoint, 'secret'>,
): Promise<CreatedEndpoint> {
  const fault = faultOfEndpointUrl(url, rules) ?? (rules.allowPrivate ? null : await faultOfHost(url, guard));
  if (fault !== null) throw invalid({ url: [fault] });
  return endpoints.insert(tenantId, { url, events, secret: generateSecret() });
}

/** A name that can't be looked up just now is taken: each connection of a delivery is checked again. */
async function faultOfHost(url: string, guard: AddressGuard): Promise<string | null> {
  try {
    await within(LOOKUP_MS, guard.addressesOf(hostOf(new URL(url))));
    return null;
  } catch (error) {
    return error instanceof AddressRefused ? NOT_PUBLIC : null;
  }
}
