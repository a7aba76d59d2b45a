import type { FastifyRequest } from 'fastify';

/** Browsers name HTML in what they accept; a client that sends or asks for JSON gets the envelope. */
export function wantsJson({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { accept = '' } = headers;
  if (accept.includes('text/html')) return false;
  return accept.includes('application/json') || (headers['content-type'] ?? '').includes('application/json');
}
