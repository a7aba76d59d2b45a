import { z } from 'zod';
import { queryInteger } from '../fields/fields.ts';

/** Tenants of one page, at most. */
export const STORED_BYTES_PAGE = 1_000;

/** What is stored beyond a quota before anything is refused: it is measured once a day, and from a sample where it is much. */
export const STORAGE_MARGIN = 1.1;

export const storedBytesQuery = z.object({ after_tenant: queryInteger.default(0) });

export const storedBytes = z.object({ tenant_id: z.int(), bytes: z.int() });

export type StoredBytes = z.infer<typeof storedBytes>;

/** Internal: how much the large tenants have in one service's database, by id. Nothing is known before the first measurement. */
export const storedBytesPage = z.object({ is_measured: z.boolean(), tenants: storedBytes.array() });

export type StoredBytesPage = z.infer<typeof storedBytesPage>;
