import { allowsEvent, scopeOfEvent, TEST_EVENT, WEBHOOK_EVENT_NAMES } from '@frontdesk/contracts';
import { hasScope, type Identity, requireScopes } from '@frontdesk/service';

/** @throws AppError `insufficient_scope` where the caller may not see the records that events of this name are about */
export function requireEvent(by: Identity, name: string): void {
  const scope = scopeOfEvent(name);
  if (scope !== null) requireScopes(by, [scope]);
}

const mayKnow = (by: Identity, name: string) => allowsEvent((scope) => hasScope(by, scope), name);

/**
 * The names of events that a caller may see; undefined where that is all of them.
 * @throws AppError `insufficient_scope` where they ask for one of another name
 */
export function namesShownTo(by: Identity, asked?: string): string[] | undefined {
  if (asked !== undefined) requireEvent(by, asked);
  const names = [...WEBHOOK_EVENT_NAMES, TEST_EVENT];
  const known = names.filter((name) => mayKnow(by, name));
  return known.length === names.length ? undefined : known;
}

/** Of the feed, which has events under their own names; null where all may be seen, and all were asked for. */
export function feedNamesFor<Name extends string>(
  by: Identity,
  { asked, all }: { asked: readonly Name[] | undefined; all: readonly Name[] },
): readonly Name[] | null {
  for (const name of asked ?? []) requireEvent(by, name);
  if (asked) return asked;
  const known = all.filter((name) => mayKnow(by, name));
  return known.length === all.length ? null : known;
}
