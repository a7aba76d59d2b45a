import {
  BOTH_SECRETS_HOURS,
  type CreateEndpoint,
  ENDPOINT_SCOPES,
  type EndpointScope,
  type FieldFault,
  type FieldFaults,
  MAX_CUSTOM_HEADERS,
  MAX_ENDPOINTS,
  scopeOfEvent,
  TOO_MANY_HEADERS,
  type UpdateEndpoint,
} from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { within } from '@frontdesk/fair';
import {
  changesOf,
  hasScope,
  type Identity,
  invalid,
  notFound,
  type RequireVersion,
  requireScopes,
} from '@frontdesk/service';
import { type AddressGuard, AddressRefused } from '../receivers/address-guard.client.ts';
import {
  type DestinationRules,
  faultOfEndpointUrl,
  hostOf,
  NOT_PUBLIC,
} from '../receivers/destination.rules.ts';
import { generateSecret } from '../receivers/signature.rules.ts';
import type { CustomHeaders, SealedHeaders } from '../secrets/sealed-secret.rules.ts';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';
import {
  deleteEndpoint,
  findEndpointWithHealth,
  insertEndpoint,
  nextEndpointId,
  updateEndpoint,
  updateSecret,
} from './endpoint.repository.ts';
import type { EndpointAdminRow, EndpointRow, EndpointShownRow } from './endpoint.rules.ts';
import { countEndpointsLocked, lockEndpoint } from './endpoint-lock.repository.ts';

/** Who changes an endpoint, and which version of it they have seen. */
interface Change {
  by: Identity;
  requireVersion: RequireVersion;
}

/**
 * The endpoint, held until the transaction ends, for somebody who may change it.
 * @throws AppError `not_found`, `insufficient_scope`, `precondition_failed`
 */
async function holdToChange(
  tx: TenantTransaction,
  id: number,
  { by, requireVersion }: Change,
): Promise<EndpointRow> {
  const held = await lockEndpoint(tx, id);
  if (held === null) throw notFound('Webhook endpoint');
  requireScopes(by, held.scopes);
  requireVersion(held.version);
  return held;
}

/**
 * Applies a patch. Pending deliveries stay through a pause. Resumed, at another address or with other headers, it begins
 * anew: what failed before neither holds its deliveries back nor counts towards disabling it.
 * @throws AppError `not_found`, `insufficient_scope`, `precondition_failed`, `validation_failed`
 */
export async function changeEndpoint(
  tx: TenantTransaction,
  secrets: SigningSecrets,
  id: number,
  patch: UpdateEndpoint,
  change: Change,
): Promise<EndpointAdminRow> {
  const held = await holdToChange(tx, id, change);
  if (patch.events) requireAllowed(patch.events, held.scopes);
  const { url, events, is_active, headers, header_names } = held;
  const before = { url, events, is_active };
  const { headers: _changed, ...fields } = patch;
  const changes = changesOf(before, fields);
  const changedHeaders = headersAfter(secrets, held, patch);
  if (changes || changedHeaders) {
    const isAnew = changes?.url !== undefined || changes?.is_active === true || changedHeaders !== null;
    const kept = changedHeaders ?? { headers, header_names };
    await updateEndpoint(tx, { id, ...before, ...changes, ...kept, isAnew });
  }
  return (await findEndpointWithHealth(tx, id)) as EndpointAdminRow;
}

/**
 * Its custom headers after the patch, sealed; null where they stay as they are. At another URL it begins without those of
 * before: whoever may change the URL would see their values there.
 * @throws AppError `validation_failed`
 */
function headersAfter(
  secrets: SigningSecrets,
  held: EndpointRow,
  { url = held.url, headers = {} }: UpdateEndpoint,
): SealedHeaders | null {
  const owner = { tenantId: held.tenant_id, endpointId: held.id, url };
  const isAnew = headers === null || url !== held.url;
  if (!isAnew && Object.keys(headers).length === 0) return null;
  const before = isAnew ? {} : secrets.openHeaders(owner, held.headers);
  const after = merged(before, headers ?? {});
  if (Object.keys(after).length > MAX_CUSTOM_HEADERS) throw invalid({ headers: [TOO_MANY_HEADERS] });
  const isSame =
    JSON.stringify(after) === JSON.stringify(before) &&
    Object.keys(after).length === held.header_names.length;
  return isSame ? null : secrets.sealHeaders(owner, after);
}

function merged(before: CustomHeaders, changes: Record<string, string | null>): CustomHeaders {
  const after = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) after.delete(name);
    else after.set(name, value);
  }
  return Object.fromEntries(after);
}

/** @throws AppError `not_found`, `insufficient_scope`, `precondition_failed` */
export async function removeEndpoint(tx: TenantTransaction, id: number, change: Change): Promise<void> {
  await holdToChange(tx, id, change);
  await deleteEndpoint(tx, id);
}

/** @throws AppError `validation_failed` for an event of records that the endpoint has no scope for */
function requireAllowed(events: readonly string[], scopes: readonly EndpointScope[]): void {
  for (const event of events) {
    const scope = scopeOfEvent(event);
    if (scope !== null && !scopes.includes(scope))
      throw invalid({
        events: [
          {
            text: `The endpoint lacks the scope ${scope}, which ${event} needs.`,
            reason: 'event_not_allowed',
            scope,
          },
        ],
      });
  }
}

/**
 * Adds an endpoint with a secret of its own, unless the tenant has as many as it may have.
 * @throws AppError `validation_failed`, `insufficient_scope`
 */
export async function createEndpoint(
  tx: TenantTransaction,
  secrets: SigningSecrets,
  { url, events, scopes: wanted, headers = {} }: CreateEndpoint,
  by: Identity,
): Promise<{ row: EndpointShownRow; secret: string }> {
  const scopes = wanted ?? ENDPOINT_SCOPES.filter((scope) => hasScope(by, scope));
  requireScopes(by, [...scopes, ...events.flatMap((event) => scopeOfEvent(event) ?? [])]);
  requireAllowed(events, scopes);
  if ((await countEndpointsLocked(tx)) >= MAX_ENDPOINTS) {
    throw invalid({
      url: [`There are already ${MAX_ENDPOINTS} endpoints, the most allowed. Delete one first.`],
    });
  }
  const id = await nextEndpointId(tx);
  const secret = generateSecret();
  const owner = { tenantId: tx.tenantId, endpointId: id };
  const sealed = { ...secrets.seal(owner, secret), ...secrets.sealHeaders({ ...owner, url }, headers) };
  return { row: await insertEndpoint(tx, { url, events, scopes, ...sealed, id }), secret };
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
  { force, ...change }: Change & { force: boolean },
): Promise<{ row: EndpointShownRow; secret: string }> {
  await holdToChange(tx, id, change);
  const secret = generateSecret();
  const sealed = secrets.seal({ tenantId: tx.tenantId, endpointId: id }, secret);
  const row = await updateSecret(tx, { id, ...sealed }, { force, bothSignHours: BOTH_SECRETS_HOURS });
  if (row === null)
    throw invalid({
      force: [
        {
          text: 'The secret was replaced less than a day ago, and the previous one would stop working at once. Send force to replace it anyway.',
          reason: 'just_replaced',
        },
      ],
    });
  return { row, secret };
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
