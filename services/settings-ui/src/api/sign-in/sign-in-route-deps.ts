import type { Database } from '@frontdesk/database';
import type { FastifyRequest } from 'fastify';
import type { GatewayClient } from '../../clients/gateway.client.ts';
import type { Sessions } from '../../clients/session-store.ts';
import type { SignInAttempts } from '../../clients/sign-in-attempts.ts';
import type { PasswordHasher } from '../../state/password-hasher.ts';
import type { Pages } from '../shared/pages.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { SessionCookie } from './session-cookie.ts';

/** What the routes work with by which people sign in and out, and choose their passwords. */
export interface SignInRouteDeps {
  database: Database;
  gateway: GatewayClient;
  sessions: Sessions;
  attempts: SignInAttempts;
  passwords: PasswordHasher;
  pages: Pages;
  cookie: SessionCookie;
  deviceCookie: DeviceCookie;
  addressOf: (request: FastifyRequest) => string;
}
