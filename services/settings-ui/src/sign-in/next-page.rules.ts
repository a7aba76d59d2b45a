import { z } from 'zod';

export const HOME = '/settings';
/** Addresses of these pages, and of nothing else. The sign-in leads to none of its own. */
const OWN_PAGE = /^\/settings(?!\/sign-in)(?!.*\.\.)(?:[/?#][\w\-/?=&#.%+*]*)?$/;

/** Where to go once signed in. */
export const nextField = z.string().regex(OWN_PAGE).catch(HOME);
