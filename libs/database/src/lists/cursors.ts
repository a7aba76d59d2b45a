import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { SystemExecutor } from '../scope/executor.ts';
import { systemSql } from '../scope/statements.ts';

/** What a cursor holds: a record's place in an order. */
export type CursorPlace = readonly [number, number];

/** Opaque texts for places. */
export interface Cursors {
  /** Equal places have equal cursors. `context` says what the cursor is for, and is needed again to open it. */
  seal(context: string, place: CursorPlace): string;
  /** Null where `seal` has not made this text for this context. */
  open(context: string, text: string): CursorPlace | null;
}

const KEY_BYTES = 32;
const FORM = 1;
const TAG_BYTES = 16;
const PLACE_BYTES = 16;
/** A form, a tag and a place: no bit of the last character is to spare, so each cursor is written in one way. */
const SEALED = /^[\w-]{44}$/;
const CIPHER = 'aes-256-ctr';

/**
 * Seals as in RFC 5297, with HMAC-SHA256 for its hash: the tag is made of context and place, and is what the place is encrypted from. So
 * no number must be used only once, and a key is good for any number of cursors.
 */
export function createCursors(key: Buffer): Cursors {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', use, KEY_BYTES));
  const [tagKey, placeKey] = [derived('frontdesk cursor tag'), derived('frontdesk cursor place')];
  // The place comes first, as its length is always the same.
  const tagOf = (context: string, place: Buffer) =>
    createHmac('sha256', tagKey).update(place).update(context).digest().subarray(0, TAG_BYTES);

  return {
    seal(context, [first, second]) {
      const place = Buffer.alloc(PLACE_BYTES);
      place.writeDoubleBE(first, 0);
      place.writeDoubleBE(second, 8);
      const tag = tagOf(context, place);
      const sealed = createCipheriv(CIPHER, placeKey, tag).update(place);
      return Buffer.concat([Buffer.of(FORM), tag, sealed]).toString('base64url');
    },
    open(context, text) {
      if (!SEALED.test(text)) return null;
      const bytes = Buffer.from(text, 'base64url');
      const tag = bytes.subarray(1, 1 + TAG_BYTES);
      const place = createDecipheriv(CIPHER, placeKey, tag).update(bytes.subarray(1 + TAG_BYTES));
      if (bytes[0] !== FORM || !timingSafeEqual(tag, tagOf(context, place))) return null;
      return [place.readDoubleBE(0), place.readDoubleBE(8)];
    },
  };
}

const findKey = systemSql<{ key: Buffer }>('cursor_keys_find', 'select key from cursor_keys');
const addKey = systemSql<never, [key: Buffer]>(
  'cursor_keys_add',
  'insert into cursor_keys (key) values ($1) on conflict do nothing',
);

/** Those of a service, by the key in its database, which the first process to start makes. */
export async function loadCursors(system: SystemExecutor): Promise<Cursors> {
  const known = await system.maybeOne(findKey);
  if (known === null) await system.run(addKey, randomBytes(KEY_BYTES));
  // Another process may have been faster: what is there counts.
  return createCursors((known ?? (await system.one(findKey))).key);
}
