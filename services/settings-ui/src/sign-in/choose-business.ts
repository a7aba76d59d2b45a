import { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../accounts/account.repository.ts';
import { listMemberships } from '../accounts/membership.repository.ts';
import type { Client } from '../session/client.rules.ts';
import { isStillValid, notSignedIn, type Session, type SignInProof } from '../session/session.rules.ts';
import { loadBusinesses } from './load-businesses.ts';
import { openBusiness } from './sign-in.ts';
import type { SignInRouteDeps } from './sign-in-route-deps.ts';

/** Begins a pending sign-in. @returns the failure that asks for a business */
export async function businessRequired(
  deps: Pick<SignInRouteDeps, 'database' | 'gateway' | 'pendingSignIns' | 'pendingCookie'>,
  reply: FastifyReply,
  proof: SignInProof,
): Promise<AppError> {
  deps.pendingCookie.set(reply, await deps.pendingSignIns.begin(proof));
  return askForBusiness(deps, proof);
}

async function askForBusiness(
  deps: Pick<SignInRouteDeps, 'database' | 'gateway'>,
  { accountId }: SignInProof,
): Promise<AppError> {
  const { businesses } = await loadBusinesses(deps, accountId);
  return new AppError('business_required', 'Choose a business.', { data: { businesses } });
}

/**
 * Begins a pending sign-in with the proof of a session whose business is lost, and ends the session: once, however many requests
 * find that. A Redis that is full signs nobody out.
 * @returns the failure that asks for another business
 */
export async function endLostBusiness(
  deps: Pick<
    SignInRouteDeps,
    'database' | 'gateway' | 'sessions' | 'cookie' | 'pendingSignIns' | 'pendingCookie'
  >,
  reply: FastifyReply,
  { token, proof }: { token: string; proof: SignInProof },
): Promise<AppError> {
  const pending = await deps.pendingSignIns.begin(proof);
  if (!(await deps.sessions.end(token))) {
    await deps.pendingSignIns.end(pending);
    return notSignedIn();
  }
  deps.cookie.clear(reply);
  deps.pendingCookie.set(reply, pending);
  return askForBusiness(deps, proof);
}

/**
 * The pending sign-in of a browser.
 * @throws AppError `unauthorized` where it is over; `rate_limited` where it was asked for too often
 */
export async function requirePending(
  { database, findPending, pendingCookie }: SignInRouteDeps,
  request: FastifyRequest,
): Promise<{ token: string; proof: SignInProof }> {
  const token = pendingCookie.read(request);
  const proof = token === undefined ? null : await findPending(token);
  const account = proof && (await findAccount(database.systemForRequests, proof.accountId));
  if (token === undefined || !account || !isStillValid(proof, account)) throw notSignedIn();
  return { token, proof };
}

/**
 * Opens a business by a session or a pending sign-in, which `claim` ends: of several requests at once one gets a session. A
 * business of others ends neither.
 * @throws AppError 404 where the account doesn't belong to the business; `unauthorized` where the proof is void, or another
 *   request was faster
 */
export async function chooseBusiness(
  deps: Pick<SignInRouteDeps, 'database' | 'sessions'>,
  choice: { proof: SignInProof; businessId: number; client: Client; claim: () => Promise<boolean> },
): Promise<Session> {
  const { proof, businessId, client, claim } = choice;
  const memberships = await listMemberships(deps.database.systemForRequests, proof.accountId);
  const chosen = memberships.find(({ tenant_id }) => tenant_id === businessId);
  if (!chosen) throw new AppError('not_found', 'Business not found.');
  return openBusiness(deps, { ...chosen, proof, client, claim });
}
