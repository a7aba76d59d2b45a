import { z } from 'zod';

export const HOME = '/settings';
/** Addresses of these pages, and of nothing else. */
const OWN_PAGE = /^\/settings(?!.*\.\.)(?:[/?#][\w\-/?=&#.%+*]*)?$/;

/** Where to go once signed in. */
export const nextField = z.string().regex(OWN_PAGE).catch(HOME);
