import {
  BOTH_SECRETS_HOURS,
  type FieldFault,
  type FieldFaults,
  MAX_ENDPOINTS,
  type UpdateEndpoint,
  type WebhookEventName,
} from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { within } from '@frontdesk/fair';
import { changesOf, invalid, notFound, type RequireVersion } from '@frontdesk/service';
import { type AddressGuard, AddressRefused } from '../receivers/address-guard.client.ts';
import {
  type DestinationRules,
  faultOfEndpointUrl,
  hostOf,
  NOT_PUBLIC,
} from '../receivers/destination.rules.ts';
import { generateSecret } from '../receivers/signature.rules.ts';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';
import {
  findEndpointWithHealth,
  insertEndpoint,
  nextEndpointId,
  updateEndpoint,
  updateSecret,
} from './endpoint.repository.ts';
import type { EndpointAdminRow, EndpointPublicRow } from './endpoint.rules.ts';
import { countEndpointsLocked, lockEndpoint } from './endpoint-lock.repository.ts';

/**
 * Applies a patch. Pending deliveries stay through a pause. Resumed, or at another address, it begins anew: what
 * failed before neither holds its deliveries back nor counts towards disabling it.
 * @throws AppError `not_found`, `precondition_failed`
 */
export async function changeEndpoint(
  tx: TenantTransaction,
  id: number,
  patch: UpdateEndpoint,
  requireVersion: RequireVersion,
): Promise<EndpointAdminRow> {
  const held = await lockEndpoint(tx, id);
  if (held === null) throw notFound('Webhook endpoint');
  requireVersion(held.version);
  const { url, events, is_active } = held;
  const before = { url, events, is_active };
  const changes = changesOf(before, patch);
  if (changes) {
    const isAnew = changes.url !== undefined || changes.is_active === true;
    await updateEndpoint(tx, { id, ...before, ...changes, isAnew });
  }
  return (await findEndpointWithHealth(tx, id)) as EndpointAdminRow;
}

/** Adds an endpoint with a secret of its own, unless the tenant has as many as it may have. @throws AppError `validation_failed` */
export async function createEndpoint(
  tx: TenantTransaction,
  secrets: SigningSecrets,
  endpoint: { url: string; events: WebhookEventName[] },
): Promise<{ row: EndpointPublicRow; secret: string }> {
  if ((await countEndpointsLocked(tx)) >= MAX_ENDPOINTS) {
    throw invalid({
      url: [`There are already ${MAX_ENDPOINTS} endpoints, the most allowed. Delete one first.`],
    });
  }
  const id = await nextEndpointId(tx);
  const secret = generateSecret();
  const sealed = secrets.seal({ tenantId: tx.tenantId, endpointId: id }, secret);
  return { row: await insertEndpoint(tx, { ...endpoint, ...sealed, id }), secret };
}

/**
 * Replaces the signing secret; for a day the one before signs as well. While it does, another rotation would cut off
 * receivers that know only the first: that takes `force`.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
export async function rotateSecret(
  tx: TenantTransaction,
  secrets: SigningSecrets,
  id: number,
  { force, requireVersion }: { force: boolean; requireVersion: RequireVersion },
) {
  const held = await lockEndpoint(tx, id);
  if (held === null) throw notFound('Webhook endpoint');
  requireVersion(held.version);
  const secret = generateSecret();
  const sealed = secrets.seal({ tenantId: tx.tenantId, endpointId: id }, secret);
  const rotated = await updateSecret(tx, { id, ...sealed }, { force, bothSignHours: BOTH_SECRETS_HOURS });
  if (rotated === null)
    throw invalid({
      force: [
        {
          text: 'The secret was replaced less than a day ago, and the previous one would stop working at once. Send force to replace it anyway.',
          reason: 'just_replaced',
        },
      ],
    });
  const { version, previous_secret_until: until } = rotated;
  return { version, record: { id, previous_secret_until: until.toISOString() }, secret };
}

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
export async function faultsOfUrl(check: UrlCheck, url: string): Promise<FieldFaults | null> {
  const { rules } = check;
  const fault = faultOfEndpointUrl(url, rules) ?? (rules.allowPrivate ? null : await faultOfHost(url, check));
  return fault === null ? null : { url: [fault] };
}

/** A name that can't be looked up just now is taken: each connection of a delivery is checked again. */
async function faultOfHost(
  url: string,
  { guard, lookupMs = LOOKUP_MS }: UrlCheck,
): Promise<FieldFault | null> {
  try {
    await within(lookupMs, guard.addressesOf(hostOf(new URL(url))));
    return null;
  } catch (error) {
    return error instanceof AddressRefused ? NOT_PUBLIC : null;
  }
}
