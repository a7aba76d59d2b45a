import type { SessionRecord } from '@frontdesk/contracts';
import { listMemberships } from '../accounts/membership.repository.ts';
import { hashToken } from '../accounts/tokens.rules.ts';
import { UNKNOWN_DEVICE } from '../session/client.rules.ts';
import type { Session } from '../session/session.rules.ts';
import { namedBusinesses } from './load-businesses.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/** All sessions of an account: this one first, then the latest used. */
export async function loadSessions(
  deps: Pick<SignInRouteDeps, 'database' | 'gateway' | 'sessions'>,
  { proof, token }: Session,
): Promise<SessionRecord[]> {
  const [kept, memberships] = await Promise.all([
    deps.sessions.list(proof),
    listMemberships(deps.database.systemForRequests, proof.accountId),
  ]);
  const open = new Set(kept.map(({ value }) => value.tenantId));
  const ids = memberships.map(({ tenant_id }) => tenant_id).filter((id) => open.has(id));
  const names = new Map((await namedBusinesses(deps.gateway, ids)).map(({ id, name }) => [id, name]));
  const current = hashToken(token);
  return kept
    .map(({ id, value, idleMs }) => ({
      id,
      device: value.device ?? UNKNOWN_DEVICE,
      network: value.network ?? null,
      started_at: new Date(value.startedAt).toISOString(),
      last_used_at: new Date(Date.now() - idleMs).toISOString(),
      business: names.get(value.tenantId) ?? null,
      is_current: id === current,
    }))
    .sort((a, b) => Number(b.is_current) - Number(a.is_current));
}
