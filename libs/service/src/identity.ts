import { readFile } from 'node:fs/promises';
import { ISSUER_ROLES, type Issuer, identityClaims, type Plan, type Role } from '@frontdesk/contracts';
import { exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from './errors.ts';

/** Who is calling, as vouched for by a signature. */
export interface Identity {
  issuer: Issuer;
  role: Role;
  tenantId?: number | undefined;
  keyId?: number | undefined;
  plan?: Plan | undefined;
}

export interface IdentityRequest {
  /** Name of the one service that the token is for. */
  audience: string;
  role: Role;
  tenantId?: number | undefined;
  keyId?: number | undefined;
  plan?: Plan | undefined;
}

export interface IdentitySigner {
  /** A token for these claims, minted anew every half minute at most: signing costs more than most requests. */
  sign(request: IdentityRequest): Promise<string>;
}

export interface IdentityVerifier {
  /** @throws AppError `unauthorized` when the token is not one that its issuer may have signed for this service. */
  verify(token: string): Promise<Identity>;
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

/** Signs with the issuer's own private key (a JWK file that only this process can read). */
export async function createIdentitySigner(options: {
  issuer: Issuer;
  privateKeyFile: string;
}): Promise<IdentitySigner> {
  const key = await importJWK(JSON.parse(await readFile(options.privateKeyFile, 'utf8')) as JWK, ALGORITHM);
  const minted = new LRUCache<string, Promise<string>>({
    max: CACHE_ENTRIES,
    ttl: REUSE_MS,
    ttlResolution: CLOCK_RESOLUTION_MS,
  });

  const mint = ({ audience, role, tenantId, keyId, plan }: IdentityRequest) =>
    new SignJWT({ role, tenant_id: tenantId, key_id: keyId, plan })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(options.issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${IDENTITY_MAX_AGE_SECONDS}s`)
      .sign(key);

  return {
    sign(request) {
      const { audience, role, tenantId, keyId, plan } = request;
      const cacheKey = `${audience}|${role}|${tenantId}|${keyId}|${plan}`;
      let token = minted.get(cacheKey);
      if (!token) {
        token = mint(request);
        minted.set(cacheKey, token);
        token.catch(() => minted.delete(cacheKey));
      }
      return token;
    },
  };
}

/** Verifies tokens for one audience against the issuers' public keys (a JSON file: issuer → JWK). */
export async function createIdentityVerifier(options: {
  audience: string;
  publicKeysFile: string;
}): Promise<IdentityVerifier> {
  const jwks = JSON.parse(await readFile(options.publicKeysFile, 'utf8')) as Record<Issuer, JWK>;
  const keys = new Map(
    await Promise.all(
      Object.entries(jwks).map(async ([issuer, jwk]) => [issuer, await importJWK(jwk, ALGORITHM)] as const),
    ),
  );
  const verified = new LRUCache<string, { identity: Identity; expiresAtMs: number }>({
    max: CACHE_ENTRIES,
  });

  return {
    async verify(token) {
      const cached = verified.get(token);
      if (cached) {
        if (cached.expiresAtMs > Date.now()) return cached.identity;
        verified.delete(token);
      }
      const checked = await check(token, options.audience, keys);
      verified.set(token, checked);
      return checked.identity;
    },
  };
}

type KeySet = Map<string, Awaited<ReturnType<typeof importJWK>>>;

async function check(token: string, audience: string, keys: KeySet) {
  try {
    const { payload } = await jwtVerify(
      token,
      (_header, jws) => {
        const { iss } = JSON.parse(Buffer.from(jws.payload as string, 'base64url').toString()) as {
          iss?: string;
        };
        const key = keys.get(iss ?? '');
        if (!key) throw new Error('unknown issuer');
        return key;
      },
      {
        audience,
        algorithms: [ALGORITHM],
        maxTokenAge: IDENTITY_MAX_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['iss', 'aud', 'iat', 'exp'],
      },
    );
    const claims = identityClaims.parse(payload);
    const roles: readonly Role[] = ISSUER_ROLES[claims.iss];
    if (!roles.includes(claims.role)) throw new Error('role is not this issuer’s to give');
    const identity: Identity = {
      issuer: claims.iss,
      role: claims.role,
      tenantId: claims.tenant_id,
      keyId: claims.key_id,
      plan: claims.plan,
    };
    const lastMoment = Math.min(claims.exp, claims.iat + IDENTITY_MAX_AGE_SECONDS);
    return { identity, expiresAtMs: (lastMoment + CLOCK_TOLERANCE_SECONDS) * 1_000 };
  } catch (cause) {
    throw new AppError('unauthorized', 'A valid identity is required.', { cause });
  }
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
