import type { FastifyReply, FastifyRequest } from 'fastify';

export type BrowserCookie = ReturnType<typeof createBrowserCookie>;

/**
 * A cookie that scripts can't read and that forms of other sites don't send. With `isSecure` (the pages are reached by https)
 * the prefix `__Host-` keeps other hosts from setting it. Without `lastsSeconds` it ends with the browser's session.
 */
export function createBrowserCookie(given: { name: string; isSecure: boolean; lastsSeconds?: number }) {
  const { isSecure, lastsSeconds } = given;
  const name = isSecure ? `__Host-${given.name}` : given.name;
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    set: (reply: FastifyReply, value: string) =>
      void reply.setCookie(name, value, { ...options, ...(lastsSeconds && { maxAge: lastsSeconds }) }),
    clear: (reply: FastifyReply) => void reply.clearCookie(name, options),
  };
}
