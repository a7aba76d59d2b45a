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
/** In an order of texts: the record's text and its id. */
export type TextPlace = readonly [string, number];

/** Opaque texts for places. */
export interface Cursors {
  /** Equal places have equal cursors. `context` says what the cursor is for, and is needed again to open it. */
  seal(context: string, place: CursorPlace | TextPlace): string;
  /** Null where `seal` has not made this text for this context. */
  open(context: string, text: string): CursorPlace | null;
  /** The same for a place in an order of texts. */
  openText(context: string, text: string): TextPlace | null;
}

const KEY_BYTES = 32;
/** Two numbers, always as long; or the second number and a text. */
const [NUMBERS, TEXT] = [1, 2];
const TAG_BYTES = 16;
const NUMBER_BYTES = 8;
/** A form, a tag and a place. A text in one has a name's length at most. */
const SEALED = /^[\w-]{34,4000}$/;
const CIPHER = 'aes-256-ctr';

/**
 * Seals as in RFC 5297, with HMAC-SHA256 for its hash: the tag is made of context and place, and is what the place is encrypted from. So
 * no number must be used only once, and a key is good for any number of cursors. Each form has keys of its own: none is read as the other.
 */
export function createCursors(key: Buffer): Cursors {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', use, KEY_BYTES));
  const numbers = {
    form: NUMBERS,
    tagKey: derived('frontdesk cursor tag'),
    placeKey: derived('frontdesk cursor place'),
  };
  const texts = {
    form: TEXT,
    tagKey: derived('frontdesk text tag'),
    placeKey: derived('frontdesk text place'),
  };
  // Places of the form `numbers` have a fixed length. A text place begins with its length, so that its end can't be
  // taken for the beginning of the context.
  const tagOf = ({ form, tagKey }: typeof numbers, place: Buffer, context: string) => {
    const hmac = createHmac('sha256', tagKey);
    if (form === TEXT) hmac.update(`${place.length} `);
    return hmac.update(place).update(context).digest().subarray(0, TAG_BYTES);
  };
  const sealPlace = (keys: typeof numbers, place: Buffer, context: string) => {
    const tag = tagOf(keys, place, context);
    const sealed = createCipheriv(CIPHER, keys.placeKey, tag).update(place);
    return Buffer.concat([Buffer.of(keys.form), tag, sealed]).toString('base64url');
  };
  const openPlace = (keys: typeof numbers, text: string, context: string) => {
    if (!SEALED.test(text)) return null;
    const bytes = Buffer.from(text, 'base64url');
    // Bits of the last character may be to spare, but each cursor is written in one way.
    if (bytes[0] !== keys.form || bytes.toString('base64url') !== text) return null;
    const tag = bytes.subarray(1, 1 + TAG_BYTES);
    const place = createDecipheriv(CIPHER, keys.placeKey, tag).update(bytes.subarray(1 + TAG_BYTES));
    return timingSafeEqual(tag, tagOf(keys, place, context)) ? place : null;
  };

  return {
    seal(context, [first, second]) {
      return typeof first === 'number'
        ? sealPlace(numbers, Buffer.concat([bytesOf(first), bytesOf(second)]), context)
        : sealPlace(texts, Buffer.concat([bytesOf(second), Buffer.from(first)]), context);
    },
    open(context, text) {
      const place = openPlace(numbers, text, context);
      return place && [place.readDoubleBE(0), place.readDoubleBE(NUMBER_BYTES)];
    },
    openText(context, text) {
      const place = openPlace(texts, text, context);
      return place && [place.toString('utf8', NUMBER_BYTES), place.readDoubleBE(0)];
    },
  };
}

function bytesOf(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeDoubleBE(number);
  return bytes;
}

const findKey = systemSql<{ key: Buffer }>('cursor_keys_find', 'select key from cursor_keys');
const addKey = systemSql<never, { key: Buffer }>(
  'cursor_keys_add',
  'insert into cursor_keys (key) values ($key) on conflict do nothing',
);

/** Those of a service, by the key in its database, which the first process to start makes. */
export async function loadCursors(system: SystemExecutor): Promise<Cursors> {
  const known = await system.maybeOne(findKey);
  if (known === null) await system.run(addKey, { key: randomBytes(KEY_BYTES) });
  // Another process may have been faster: what is there counts.
  return createCursors((known ?? (await system.one(findKey))).key);
}
