import { type Logger, SecretBoxError } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import { messageIdOf } from '../events/payload.rules.ts';
import type { Claim } from '../queue/queue.repository.ts';
import { signatureHeaders } from '../receivers/signature.rules.ts';
import type { CustomHeaders, SecretOwner } from '../secrets/sealed-secret.rules.ts';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';

/** A secret that can't be read is logged again after so long, and not with each delivery. */
const LOG_AGAIN_MS = 3_600_000;
const MAX_LOGGED = 10_000;

/** The headers that one delivery is sent with. */
interface DeliveryHeaders {
  signature: Record<string, string>;
  /** Of its endpoint's own. */
  own: CustomHeaders;
}

/** Null where this process hasn't the key that its endpoint's secret, or headers, are sealed with. */
export type Signer = (claim: Claim) => DeliveryHeaders | null;

/** Of a rotated endpoint the new secret is enough: the one before signs as well where it can be read. */
export function createSigner({ secrets, logger }: { secrets: SigningSecrets; logger: Logger }): Signer {
  const logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_AGAIN_MS });

  const read = <Opened>(
    claim: Claim,
    stored: string,
    { open, effect }: { open: (owner: SecretOwner, stored: string) => Opened; effect: string },
  ): Opened | null => {
    const { tenant_id: tenantId, endpoint_id: endpointId } = claim;
    try {
      return open({ tenantId, endpointId }, stored);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      // Its end tells it from any other.
      const which = `${endpointId} ${stored.slice(-40)}`;
      if (!logged.has(which)) logger.error({ err: error, endpoint_id: endpointId }, effect);
      logged.set(which, true, { noUpdateTTL: true });
      return null;
    }
  };

  return (claim) => {
    const { headers, previous_secret: previous } = claim;
    const secret = read(claim, claim.secret, {
      open: secrets.open,
      effect: 'an endpoint’s secret can’t be read: its deliveries wait',
    });
    const own = headers
      ? read(claim, headers, {
          open: (owner, stored) => secrets.openHeaders({ ...owner, url: claim.url }, stored),
          effect: 'an endpoint’s custom headers can’t be read: its deliveries wait',
        })
      : {};
    if (secret === null || own === null) return null;
    const signature = signatureHeaders({
      id: messageIdOf(claim.event_id),
      body: claim.body,
      secret,
      previousSecret:
        previous &&
        read(claim, previous, {
          open: secrets.open,
          effect: 'an endpoint’s previous secret can’t be read: the new one signs alone',
        }),
      timestampSeconds: Math.floor(Date.now() / 1_000),
    });
    return { signature, own };
  };
}
