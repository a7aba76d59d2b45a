import { type SecretBox, SecretBoxError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Device } from '../../domain/sign-in/device.ts';
import { createBrowserCookie } from './browser-cookie.ts';

/** The longest time that browsers keep a cookie; each sign-in renews it. */
const LASTS_SECONDS = 400 * 86_400;
const CONTEXT = 'device';

export type DeviceCookie = ReturnType<typeof createDeviceCookie>;

/** The cookie of a known device. It is sealed, so that nobody can forge another admin's device. It signs nobody in. */
export function createDeviceCookie(deps: { isSecure: boolean; secrets: SecretBox }) {
  const { isSecure, secrets } = deps;
  const cookie = createBrowserCookie({ name: 'frontdesk-device', isSecure, lastsSeconds: LASTS_SECONDS });
  return {
    /** Null where there is no cookie, or one that was not sealed here. */
    read(request: FastifyRequest): Device | null {
      const sealed = cookie.read(request);
      if (sealed === undefined) return null;
      try {
        return JSON.parse(secrets.open(sealed, CONTEXT)) as Device;
      } catch (error) {
        if (error instanceof SecretBoxError) return null;
        throw error;
      }
    },
    set: (reply: FastifyReply, device: Device) =>
      cookie.set(reply, secrets.seal(JSON.stringify(device), CONTEXT)),
  };
}
