import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { ALL_KEY_SCOPES, SCOPES_OF_EARLIER_KEYS } from '../access/scopes.ts';
import { because } from '../errors/field-faults.ts';
import {
  dateOut,
  instantOut,
  laterInstant,
  queryInteger,
  requiredText,
  textField,
} from '../fields/fields.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'fd_live_';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const KEY_PATTERN = /^fd_live_[0-9A-Za-z]{38}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    out = `${ALPHABET[rest % ALPHABET.length]}${out}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return out;
}

/** The API key with these 32 base62 characters: `fd_live_`, they, 6 of CRC32 over all before. */
export const apiKeyWith = (characters: string): string => PREFIX + characters + checksum(PREFIX + characters);

/** A new API key: 190 random bits. */
export function generateApiKey(): string {
  let characters = '';
  for (let i = 0; i < RANDOM_CHARACTERS; i += 1) characters += ALPHABET[randomInt(ALPHABET.length)];
  return apiKeyWith(characters);
}

/** Whether the text can be a key at all: its form and checksum. Says nothing about the key existing. */
export function isWellFormedApiKey(text: string): boolean {
  return (
    KEY_PATTERN.test(text) &&
    checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
  );
}

/** At most so many networks may a key be used from. */
export const MAX_KEY_NETWORKS = 20;

const NOT_SCOPES = 'The {field} field must be a list of scopes.';

const keyScopes = z
  .array(z.enum(ALL_KEY_SCOPES, NOT_SCOPES), NOT_SCOPES)
  .min(1, because({ reason: 'required' }, 'The {field} field must name at least one scope.'))
  // In one order, and each once.
  .transform((chosen) => ALL_KEY_SCOPES.filter((scope) => chosen.includes(scope)));

const NOT_NETWORKS = 'The {field} field must be a list of IP addresses or networks, such as 203.0.113.0/24.';

const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** From where a key may be used: addresses, and networks as CIDR; null or none: from everywhere. */
const keyNetworks = z
  .array(
    textField(MAX_LENGTH.network).refine(
      (text) => NETWORK.safeParse(text).success,
      because({ reason: 'not_network' }, NOT_NETWORKS),
    ),
    NOT_NETWORKS,
  )
  .min(1, NOT_NETWORKS)
  .max(MAX_KEY_NETWORKS, `The {field} field must have at most ${MAX_KEY_NETWORKS} entries.`)
  .transform((networks) => [...new Set(networks)])
  .nullable();

const keyFields = {
  name: requiredText(MAX_LENGTH.keyName),
  scopes: keyScopes,
  /** From then on the key is as good as none. */
  expires_at: laterInstant.nullable(),
  networks: keyNetworks,
};

export const createKeyBody = z.object({
  ...keyFields,
  // Processes of the release before name none.
  scopes: keyScopes.default([...SCOPES_OF_EARLIER_KEYS]),
  expires_at: keyFields.expires_at.default(null),
  networks: keyFields.networks.default(null),
});

export type CreateKey = z.output<typeof createKeyBody>;

export const updateKeyBody = z.object(keyFields).partial();

export type UpdateKey = z.output<typeof updateKeyBody>;

/** How long the earlier key stays good once a new one has taken its place. */
export const MAX_ROLL_HOURS = 7 * 24;

export const rollKeyBody = z.object({
  hours: z
    .int('The {field} field must be an integer.')
    .min(0, 'The {field} field must be at least 0.')
    .max(MAX_ROLL_HOURS, `The {field} field must be at most ${MAX_ROLL_HOURS}.`),
});

export const apiKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  last_four: z.string(),
  is_active: z.boolean(),
  scopes: z.array(z.string()),
  expires_at: instantOut.nullable(),
  networks: z.array(z.string()).nullable(),
  /** The key that works in its place; null where none does. */
  rolled_to: z.int().nullable(),
  last_used_at: instantOut.nullable(),
  created_at: instantOut,
});

export type ApiKey = z.infer<typeof apiKeySchema>;

/** The only view that shows the key itself. */
export const createdApiKey = apiKeySchema.extend({ key: z.string() });

export type CreatedApiKey = z.infer<typeof createdApiKey>;

/** Days, UTC, for which requests are counted by key. */
export const KEY_USE_DAYS = 30;

/** Requests of a key by day, the latest first; days without any are left out. */
export const keyUse = z.array(z.object({ day: dateOut, requests: z.int() }));

const NOT_HASH = 'The {field} field must be a SHA-256 in hex.';

/** A key that is about to expire, and whose. */
export const expiringKey = apiKeySchema
  .pick({ id: true, name: true, last_four: true, created_at: true })
  .extend({ tenant_id: z.int(), expires_at: instantOut });

export type ExpiringKey = z.infer<typeof expiringKey>;

/** How long before its end a key is among those that expire. */
export const KEY_EXPIRES_WITHIN_DAYS = 7;

/** Where the next page begins. */
export const expiringKeysQuery = z.object({ after: queryInteger.default(0) });

/** Of a key that was found somewhere, only its SHA-256, hex, is sent to ask whose it is. */
export const findKeyBody = z.object({
  key_hash: z.string(NOT_HASH).regex(/^[0-9a-f]{64}$/, NOT_HASH),
});

export const foundKey = apiKeySchema.extend({ tenant_id: z.int() });
