import type { FieldErrors } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { type AddressGuard, AddressRefused } from '../clients/address-guard.ts';
import { within } from '../clients/within.ts';
import { type DestinationRules, hostOf, NOT_PUBLIC } from '../domain/destination.ts';
import { faultOfEndpointUrl } from '../domain/endpoint-url.ts';

const LOOKUP_MS = 2_000;

export interface UrlCheck {
  rules: DestinationRules;
  guard: AddressGuard;
  /** How long a look-up may take. */
  lookupMs?: number | undefined;
}

/** Looks the name up, so it comes before a transaction. @throws AppError 422 on `url` where it can't be an endpoint's */
export async function requireEndpointUrl(check: UrlCheck, url: string): Promise<void> {
  const faults = await faultsOfUrl(check, url);
  if (faults !== null) throw invalid(faults);
}

/** Why the URL can't be an endpoint's; null where it can. */
export async function faultsOfUrl(check: UrlCheck, url: string): Promise<FieldErrors | null> {
  const { rules } = check;
  const fault = faultOfEndpointUrl(url, rules) ?? (rules.allowPrivate ? null : await faultOfHost(url, check));
  return fault === null ? null : { url: [fault] };
}

/** A name that can't be looked up just now is taken: each connection of a delivery is checked again. */
async function faultOfHost(url: string, { guard, lookupMs = LOOKUP_MS }: UrlCheck): Promise<string | null> {
  try {
    await within(lookupMs, guard.addressesOf(hostOf(new URL(url))));
    return null;
  } catch (error) {
    return error instanceof AddressRefused ? NOT_PUBLIC : null;
  }
}
