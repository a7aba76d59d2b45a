import { z } from 'zod';

// The form of cursors that release 0.1.0 gave out, which anybody can write. It is read for one more release, and then this file goes, with
// the two places that use it.

/** Within what PostgreSQL takes for an instant. */
const seconds = z.number().min(-1e11).max(1e12);
const listContent = z.tuple([z.string(), seconds, z.int().positive()]);

const MAX_DAY = 99_999;
const feedContent = z.tuple([z.literal('events'), z.int().min(0).max(MAX_DAY), z.int().min(0)]);

/** What such a text holds; null where it is none. */
function contentOf<Content>(schema: z.ZodType<Content>, text: string): Content | null {
  const json = Buffer.from(text, 'base64url').toString();
  // The decoder passes over what is no base64url; a cursor is taken as it was given out or not at all.
  if (Buffer.from(json).toString('base64url') !== text) return null;
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** The sort of a list, the value there, and the id. */
export const oldListCursor = (text: string) => contentOf(listContent, text);

/** A day and a number of the feed. */
export function oldFeedCursor(text: string): [day: number, number: number] | null {
  const content = contentOf(feedContent, text);
  return content && [content[1], content[2]];
}
