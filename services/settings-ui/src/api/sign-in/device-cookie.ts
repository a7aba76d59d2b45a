import { type SecretBox, SecretBoxError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Device } from '../../domain/device.ts';
import { createBrowserCookie } from './browser-cookie.ts';

/** As long as browsers keep a cookie; each sign-in begins it anew. */
const LASTS_SECONDS = 400 * 86_400;
const CONTEXT = 'device';

export interface DeviceCookie {
  /** Null where there is none, or none of ours. */
  read(request: FastifyRequest): Device | null;
  set(reply: FastifyReply, device: Device): void;
}

/** Sealed, so that nobody makes themselves a known device of somebody else. It opens nothing. */
export function createDeviceCookie(deps: { isSecure: boolean; secrets: SecretBox }): DeviceCookie {
  const { isSecure, secrets } = deps;
  const cookie = createBrowserCookie({ name: 'frontdesk-device', isSecure, lastsSeconds: LASTS_SECONDS });
  return {
    read(request) {
      const sealed = cookie.read(request);
      if (sealed === undefined) return null;
      try {
        return JSON.parse(secrets.open(sealed, CONTEXT)) as Device;
      } catch (error) {
        if (error instanceof SecretBoxError) return null;
        throw error;
      }
    },
    set: (reply, device) => cookie.set(reply, secrets.seal(JSON.stringify(device), CONTEXT)),
  };
}
