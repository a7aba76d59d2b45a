import { type SecretBox, SecretBoxError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Device, StoredDevice } from './device.rules.ts';

export type BrowserCookie = ReturnType<typeof createBrowserCookie>;

/**
 * A cookie that scripts can't read and that forms of other sites don't send. With `isSecure` (the pages are reached
 * by https) the prefix `__Host-` keeps other hosts from setting it. Without `lastsSeconds` it ends with the
 * browser's session.
 */
function createBrowserCookie(given: { name: string; isSecure: boolean; lastsSeconds?: number }) {
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

export const createSessionCookie = ({ isSecure }: { isSecure: boolean }): BrowserCookie =>
  createBrowserCookie({ name: 'frontdesk', isSecure });

/** Of a pending sign-in, which is no session. */
export const createPendingCookie = ({ isSecure }: { isSecure: boolean }): BrowserCookie =>
  createBrowserCookie({ name: 'frontdesk-sign-in', isSecure });

/** The longest time that browsers keep a cookie; each sign-in renews it. */
const LASTS_SECONDS = 400 * 86_400;
const CONTEXT = 'device';

export type DeviceCookie = ReturnType<typeof createDeviceCookie>;

/** The cookie of a known device. It is sealed, so that nobody can forge the device of another account. It signs nobody in. */
export function createDeviceCookie(deps: { isSecure: boolean; secrets: SecretBox }) {
  const { isSecure, secrets } = deps;
  const cookie = createBrowserCookie({
    name: 'frontdesk-known-device',
    isSecure,
    lastsSeconds: LASTS_SECONDS,
  });
  return {
    /** Null where there is no cookie, or one that was not sealed here. */
    read(request: FastifyRequest): StoredDevice | null {
      const sealed = cookie.read(request);
      if (sealed === undefined) return null;
      try {
        return JSON.parse(secrets.open(sealed, CONTEXT)) as StoredDevice;
      } catch (error) {
        if (error instanceof SecretBoxError) return null;
        throw error;
      }
    },
    set: (reply: FastifyReply, device: Device) =>
      cookie.set(reply, secrets.seal(JSON.stringify(device), CONTEXT)),
  };
}
