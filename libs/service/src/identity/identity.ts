import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import {
  ALL_SCOPES,
  ISSUER_ROLES,
  type Issuer,
  identityClaims,
  type Plan,
  type Role,
  SCOPES_OF_EARLIER_KEYS,
  type Scope,
} from '@frontdesk/contracts';
import { decodeJwt, errors, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createReplaceableFile } from '../config/replaceable-file.ts';
import { AppError } from '../errors/app-error.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Logger } from '../run/logging.ts';

/** Who is calling, as vouched for by a signature. */
export interface Identity {
  issuer: Issuer;
  role: Role;
  tenantId?: number | undefined;
  keyId?: number | undefined;
  /** The admin who uses the pages; processes of the release before name none. */
  userId?: number | undefined;
  plan?: Plan | undefined;
  /** What a key or an admin may do. Empty of operators and services, whom the table of access alone holds to what they do. */
  scopes: ReadonlySet<string>;
  /** Who uses the operator's key. */
  actor?: string | undefined;
}

export interface IdentityRequest {
  /** Name of the one service that the token is for. */
  audience: string;
  role: Role;
  tenantId?: number | undefined;
  keyId?: number | undefined;
  userId?: number | undefined;
  plan?: Plan | undefined;
  scopes?: readonly Scope[] | undefined;
  actor?: string | undefined;
}

export interface IdentitySigner {
  /** A token for these claims, minted anew every half minute at most: signing costs more than most requests. */
  sign(request: IdentityRequest): Promise<string>;
}

export interface IdentityVerifier {
  /** The service that it verifies for. */
  readonly audience: string;
  /** @throws AppError `unauthorized` when the token is not one that its issuer may have signed for this service. */
  verify(token: string): Promise<Identity>;
  /** How many public keys of each issuer are in force: two while a key is being replaced. */
  keyCounts(): { issuer: string; keys: number }[];
}

const ALGORITHM = 'EdDSA';
/** Longest life of an identity token. */
const IDENTITY_MAX_AGE_SECONDS = 60;
const REUSE_MS = (IDENTITY_MAX_AGE_SECONDS / 2) * 1_000;
/** Minted and verified tokens live for half a minute or a whole one; so many callers are served from memory meanwhile. */
const CACHE_ENTRIES = 30_000;
/** How old the cache's notion of the time may be: a fresh one is a timer, a thousand times a second where it is asked often. */
const CLOCK_RESOLUTION_MS = 1_000;
/** Clocks of two machines may differ by this much, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 5;

interface KeyFileOptions {
  /** Logs a file that was damaged while the process runs; the keys read before stay in force. */
  logger?: Pick<Logger, 'error'> | undefined;
}

/**
 * Signs with the issuer's own private key (a JWK file that only this process can read). A key that takes its place in the file
 * signs from the next second on.
 */
export async function createIdentitySigner(
  options: KeyFileOptions & { issuer: Issuer; privateKeyFile: string },
): Promise<IdentitySigner> {
  const { issuer, privateKeyFile, logger } = options;
  const minted = new LRUCache<string, Promise<string>>({
    max: CACHE_ENTRIES,
    ttl: REUSE_MS,
    ttlResolution: CLOCK_RESOLUTION_MS,
  });
  const file = createReplaceableFile({
    path: privateKeyFile,
    parse(text) {
      const key = privateKeyIn(text, privateKeyFile);
      minted.clear();
      return key;
    },
    onFault: ({ message }) => logger?.error({ file: privateKeyFile }, message),
  });

  const mint = (request: IdentityRequest, key: KeyObject) =>
    new SignJWT(claimsOf(request))
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(issuer)
      .setAudience(request.audience)
      .setIssuedAt()
      .setExpirationTime(`${IDENTITY_MAX_AGE_SECONDS}s`)
      .sign(key);

  return {
    sign(request) {
      const key = file.current();
      const cacheKey = JSON.stringify([request.audience, claimsOf(request)]);
      let token = minted.get(cacheKey);
      if (!token) {
        token = mint(request, key);
        minted.set(cacheKey, token);
        token.catch(() => minted.delete(cacheKey));
      }
      return token;
    },
  };
}

/** All that a token says beside its audience; those that say the same are one. */
const claimsOf = ({ role, tenantId, keyId, userId, plan, scopes, actor }: IdentityRequest) => ({
  role,
  tenant_id: tenantId,
  key_id: keyId,
  user_id: userId,
  plan,
  scopes,
  actor,
});

/**
 * Verifies tokens for one audience against the issuers' public keys: a JSON file, issuer → JWK, or a list of them while a key is
 * being replaced. A file that takes its place counts from the next second on, also for tokens that were verified before.
 */
export async function createIdentityVerifier(
  options: KeyFileOptions & { audience: string; publicKeysFile: string },
): Promise<IdentityVerifier> {
  const { audience, publicKeysFile, logger } = options;
  const verified = new LRUCache<string, { identity: Identity; expiresAtMs: number }>({
    max: CACHE_ENTRIES,
  });
  const file = createReplaceableFile({
    path: publicKeysFile,
    parse(text) {
      const keys = publicKeysIn(text, publicKeysFile);
      verified.clear();
      return keys;
    },
    onFault: ({ message }) => logger?.error({ file: publicKeysFile }, message),
  });

  return {
    audience,
    async verify(token) {
      const keys = file.current();
      const cached = verified.get(token);
      if (cached) {
        if (cached.expiresAtMs > Date.now()) return cached.identity;
        verified.delete(token);
      }
      const checked = await check(token, audience, keys);
      // A key that was taken away meanwhile vouches for nobody any more.
      if (file.current() === keys) verified.set(token, checked);
      return checked.identity;
    },
    keyCounts: () => [...file.current()].map(([issuer, { length }]) => ({ issuer, keys: length })),
  };
}

/** Shows operators whether a process has read the public keys of a replacement. */
export function watchIdentityKeys(metrics: Pick<Metrics, 'watch'>, verifier: IdentityVerifier): void {
  const gauge = {
    name: 'identity_public_keys',
    help: 'Public keys of an issuer that the process accepts: two while its key is being replaced.',
    labelNames: ['issuer'],
  };
  metrics.watch(gauge, () =>
    verifier.keyCounts().map(({ issuer, keys }) => ({ labels: { issuer }, value: keys })),
  );
}

/** The keys that an issuer may have signed with, by issuer. */
type PublicKeys = ReadonlyMap<string, readonly KeyObject[]>;

const jwk = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });
const publicKeysFile = z.record(z.string(), z.union([jwk, z.array(jwk).min(1)]));

function publicKeysIn(text: string, path: string): PublicKeys {
  try {
    const content = publicKeysFile.parse(JSON.parse(text));
    return new Map(
      Object.entries(content).map(([issuer, keys]) => [
        issuer,
        [keys].flat().map((key) => createPublicKey({ key, format: 'jwk' })),
      ]),
    );
  } catch {
    // Neither the message nor a cause: a parser's error repeats the text that it stumbled over.
    throw new Error(`${path} must hold an Ed25519 key in JWK, or a list of them, for each issuer.`);
  }
}

function privateKeyIn(text: string, path: string): KeyObject {
  try {
    return createPrivateKey({ key: jwk.parse(JSON.parse(text)), format: 'jwk' });
  } catch {
    throw new Error(`${path} must hold a private Ed25519 key in JWK.`);
  }
}

/** What an identity may do that a process of the release before has signed: what it could do then. */
const SCOPES_OF_EARLIER: Record<Role, readonly Scope[]> = {
  integrator: SCOPES_OF_EARLIER_KEYS,
  admin: ALL_SCOPES,
  operator: [],
  service: [],
};

async function check(token: string, audience: string, keys: PublicKeys) {
  try {
    const payload = await payloadOf(token, audience, keys);
    const claims = identityClaims.parse(payload);
    const roles: readonly Role[] = ISSUER_ROLES[claims.iss];
    if (!roles.includes(claims.role)) throw new Error('role is not this issuer’s to give');
    const identity: Identity = {
      issuer: claims.iss,
      role: claims.role,
      tenantId: claims.tenant_id,
      keyId: claims.key_id,
      userId: claims.user_id,
      plan: claims.plan,
      scopes: new Set(claims.scopes ?? SCOPES_OF_EARLIER[claims.role]),
      actor: claims.actor,
    };
    const lastMoment = Math.min(claims.exp, claims.iat + IDENTITY_MAX_AGE_SECONDS);
    return { identity, expiresAtMs: (lastMoment + CLOCK_TOLERANCE_SECONDS) * 1_000 };
  } catch (cause) {
    throw new AppError('unauthorized', 'A valid identity is required.', { cause });
  }
}

/** The claims, once one of the issuer's keys has signed them for this audience. */
async function payloadOf(token: string, audience: string, keys: PublicKeys) {
  const { iss = '' } = decodeJwt(token);
  const [first, ...others] = keys.get(iss) ?? [];
  if (!first) throw new Error('unknown issuer');
  const verifyBy = async (key: KeyObject) => {
    const { payload } = await jwtVerify(token, key, {
      issuer: iss,
      audience,
      algorithms: [ALGORITHM],
      maxTokenAge: IDENTITY_MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'aud', 'iat', 'exp'],
    });
    return payload;
  };
  let attempt = verifyBy(first);
  for (const key of others) {
    attempt = attempt.catch((error: unknown) => {
      if (error instanceof errors.JWSSignatureVerificationFailed) return verifyBy(key);
      throw error;
    });
  }
  return await attempt;
}

/** A key pair for every issuer, to set a system up with: private keys go to their issuer alone. */
export async function createIdentityKeys() {
  const issuers = Object.keys(ISSUER_ROLES) as Issuer[];
  const pairs = await Promise.all(
    issuers.map(() => generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })),
  );
  const exported = await Promise.all(
    pairs.map(async (pair) => ({
      privateKey: await exportJWK(pair.privateKey),
      publicKey: await exportJWK(pair.publicKey),
    })),
  );
  const byIssuer = (which: 'privateKey' | 'publicKey') =>
    Object.fromEntries(issuers.map((issuer, index) => [issuer, exported[index]?.[which] as JWK])) as Record<
      Issuer,
      JWK
    >;
  return { privateKeys: byIssuer('privateKey'), publicKeys: byIssuer('publicKey') };
}
