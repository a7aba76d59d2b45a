import type { FastifyReply, FastifyRequest } from 'fastify';

export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/** `isSecure`: browsers reach these pages by https. The prefix then lets no other host set the cookie. */
export function createSessionCookie({ isSecure }: { isSecure: boolean }): SessionCookie {
  const name = isSecure ? '__Host-frontdesk' : 'frontdesk';
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    read: (request) => request.cookies[name],
    set: (reply, token) => void reply.setCookie(name, token, options),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
