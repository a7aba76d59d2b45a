import type { Scope } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';

interface Area {
  /** Its pages are those whose addresses begin like this, and that no area above has. */
  at: RegExp;
  /** What it takes to see them; null: nothing beyond belonging to the business. */
  see: Scope | null;
  /** What it takes to change something there. */
  change: Scope | null;
}

const area = (at: RegExp, see: Scope | null, change: Scope | null = see): Area => ({ at, see, change });

/** Who may use which pages, by scope. The services decide about the records themselves; this also hides what would be refused. */
const AREAS: readonly Area[] = [
  area(/^\/settings\/people\b/, 'settings:members'),
  area(/^\/settings\/api\/docs\b/, null),
  area(/^\/settings\/api\/(webhooks|deliveries|replays)\b/, 'webhooks:write'),
  area(/^\/settings\/api\b/, 'settings:keys'),
  area(/^\/settings\/audit\b/, 'settings:audit'),
  area(/^\/settings\/calls\/(sources|messages)\b/, 'settings:sources'),
  area(/^\/settings\/calls\b/, 'calls:read', 'settings:desk'),
  area(/^\/settings\/customers\/(new|[^/]+\/(edit|merge))\b/, 'customers:write'),
  area(/^\/settings\/customers\b/, 'customers:read', 'customers:write'),
  area(/^\/settings\/calendar\/(book|appointments\/[^/]+\/(edit|move))\b/, 'appointments:write'),
  area(/^\/settings\/calendar\b/, 'appointments:read', 'appointments:write'),
  area(/^\/settings\/business\/.*\btime-off\b/, 'settings:desk'),
  area(/^\/settings\/business\/(services|staff)\/new\b/, 'settings:business'),
  area(/^\/settings\/business\/services\b/, 'services:read', 'settings:business'),
  area(/^\/settings\/business\/(staff|opening-hours)\b/, 'staff:read', 'settings:business'),
  area(/^\/settings\/business\b/, 'settings:business'),
];

/**
 * What it takes to use a page, or to send something to its address; null where that is nothing beyond belonging to the business, as
 * on Today, in the search and on the own account, which show each what they may see.
 */
export function scopeOfPage(method: string, address: string): Scope | null {
  const found = AREAS.find(({ at }) => at.test(address));
  if (!found) return null;
  return method === 'GET' || method === 'HEAD' ? found.see : found.change;
}

/** Whoever a page is drawn for. */
export interface Who {
  scopes: readonly Scope[];
}

/** Whether somebody may see a page, or send something there. */
export function mayUse({ scopes }: Who, method: string, address: string): boolean {
  const scope = scopeOfPage(method, address);
  return scope === null || scopes.includes(scope);
}

/** Whether the request is for a page, or sends something to one, that somebody may use. */
export const mayUseRoute = (
  who: Who,
  { method, routeOptions }: { method: string; routeOptions: { url?: string | undefined } },
): boolean => mayUse(who, method, routeOptions.url ?? '');

/** Whether a page shows what sends something there: a suspended business is only looked at. */
export const canChange = (
  { isSuspended, scopes }: Who & { isSuspended: boolean },
  address: string,
): boolean => !isSuspended && mayUse({ scopes }, 'POST', address);

/** 403: somebody else in the business may do it. */
export const notOfRole = (cause?: unknown): AppError =>
  new AppError('forbidden', 'Your role in this business doesn’t allow that.', { cause });

/** @throws AppError 403 where somebody would give what they don't have */
export function requireOwnScopes({ scopes }: Who, given: readonly Scope[]): void {
  if (given.some((scope) => !scopes.includes(scope))) throw notOfRole();
}

/** Asks where the role allows it. Undefined where it doesn’t: a page then says nothing, instead of that there is none. */
export const ifAllowed = async <Value>(
  { scopes }: Who,
  scope: Scope,
  ask: () => Promise<Value>,
): Promise<Value | undefined> => (scopes.includes(scope) ? ask() : undefined);
