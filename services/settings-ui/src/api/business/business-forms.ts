import { z } from 'zod';

/** Which version of a record a form shows: its ETag. A change to any other is refused. */
export const seenVersion = { version: z.string().max(200).optional() };

/** A change with nothing to enter; programs may send no body at all. */
export const plainBody = z.preprocess((body) => Object(body), z.looseObject(seenVersion));
