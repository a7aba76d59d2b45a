import type { FastifyReply, FastifyRequest } from 'fastify';

export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * A cookie that scripts can't read and that forms of other sites don't send. With `isSecure` (the pages are reached by https)
 * the prefix `__Host-` keeps other hosts from setting it. Without `lastsSeconds` it ends with the browser's session.
 */
export function createBrowserCookie(given: {
  name: string;
  isSecure: boolean;
  lastsSeconds?: number;
}): BrowserCookie {
  const { isSecure, lastsSeconds } = given;
  const name = isSecure ? `__Host-${given.name}` : given.name;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    read: (request) => request.cookies[name],
    set: (reply, value) =>
      void reply.setCookie(name, value, { ...options, ...(lastsSeconds && { maxAge: lastsSeconds }) }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
