import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { instantOut, requiredText } from '../fields/fields.ts';
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

export const createKeyBody = z.object({ name: requiredText(MAX_LENGTH.keyName) });

export const apiKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  last_four: z.string(),
  is_active: z.boolean(),
  last_used_at: instantOut.nullable(),
  created_at: instantOut,
});

export type ApiKey = z.infer<typeof apiKeySchema>;

/** The only view that shows the key itself. */
export const createdApiKey = apiKeySchema.extend({ key: z.string() });

export type CreatedApiKey = z.infer<typeof createdApiKey>;
