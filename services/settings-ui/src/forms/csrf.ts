import { Tokens } from '@fastify/csrf';
import { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';

const tokens = new Tokens({});

/** Different each time, so that a compressed page doesn't give it away. */
export const csrfTokenOf = (secret: string): string => tokens.create(secret);

const failed = () => new AppError('csrf_failed', 'This form has expired. Please send it again.');

/** A change needs the session's token, in a header or a form. @throws AppError `csrf_failed` */
export function requireCsrfToken(request: FastifyRequest): void {
  const token = request.headers['x-csrf-token'] ?? request.sent?._csrf;
  if (typeof token !== 'string' || !tokens.verify(request.session.csrfSecret, token)) throw failed();
}

/** Before there is a session: the form must have come from these pages. @throws AppError `csrf_failed` */
export function requireSameSite({ headers }: FastifyRequest): void {
  const { host, origin, 'sec-fetch-site': site } = headers;
  // Browsers that don't say the site say the origin; programs say neither, and hold no cookies to misuse.
  const isOwn =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  if (!isOwn) throw failed();
}
