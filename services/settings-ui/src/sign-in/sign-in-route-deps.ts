import type { Database } from '@frontdesk/database';
import type { FastifyRequest } from 'fastify';
import type { NoteWrongPassword } from '../audit/note-wrong-password.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { Client } from '../session/client.rules.ts';
import type { BrowserCookie, DeviceCookie } from '../session/cookies.ts';
import type { PendingSignIns } from '../session/pending-sign-ins.ts';
import type { Session } from '../session/session.rules.ts';
import type { Sessions } from '../session/session-store.ts';
import type { Pages } from '../ui/pages.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

/** What the routes of sign-in, links and accounts work with. */
export interface SignInRouteDeps {
  database: Database;
  gateway: GatewayClient;
  sessions: Sessions;
  pendingSignIns: PendingSignIns;
  /** Looks at a pending sign-in, and counts the request as one of a session. */
  findPending: PendingSignIns['peek'];
  attempts: SignInAttempts;
  noteWrongPassword: NoteWrongPassword;
  mailLimits: MailLimits;
  passwords: PasswordHasher;
  pages: Pages;
  cookie: BrowserCookie;
  pendingCookie: BrowserCookie;
  deviceCookie: DeviceCookie;
  /** Looks at the session on routes for everybody, without using it. */
  peekSession: (request: FastifyRequest) => Promise<Session | null>;
  addressOf: (request: FastifyRequest) => string;
  clientOf: (request: FastifyRequest) => Client;
}
