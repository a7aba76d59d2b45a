import { type Logger, SecretBoxError } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import { messageIdOf } from '../events/payload.rules.ts';
import type { Claim } from '../queue/queue.repository.ts';
import { signatureHeaders } from '../receivers/signature.rules.ts';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';

/** A secret that can't be read is logged again after so long, and not with each delivery. */
const LOG_AGAIN_MS = 3_600_000;
const MAX_LOGGED = 10_000;

/** The headers that one delivery is sent with. Null where this process hasn't the key that its endpoint's secret is sealed with. */
export type Signer = (claim: Claim) => Record<string, string> | null;

/** Of a rotated endpoint the new secret is enough: the one before signs as well where it can be read. */
export function createSigner({ secrets, logger }: { secrets: SigningSecrets; logger: Logger }): Signer {
  const logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_AGAIN_MS });

  const read = (claim: Claim, stored: string, effect: string): string | null => {
    const { tenant_id: tenantId, endpoint_id: endpointId } = claim;
    try {
      return secrets.open({ tenantId, endpointId }, stored);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      const which = `${endpointId} ${stored}`;
      if (!logged.has(which)) logger.error({ err: error, endpoint_id: endpointId }, effect);
      logged.set(which, true, { noUpdateTTL: true });
      return null;
    }
  };

  return (claim) => {
    const secret = read(claim, claim.secret, 'an endpoint’s secret can’t be read: its deliveries wait');
    if (secret === null) return null;
    const previous = claim.previous_secret;
    return signatureHeaders({
      id: messageIdOf(claim.event_id),
      body: claim.body,
      secret,
      previousSecret:
        previous &&
        read(claim, previous, 'an endpoint’s previous secret can’t be read: the new one signs alone'),
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
  };
}
