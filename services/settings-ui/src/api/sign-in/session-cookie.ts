import { type BrowserCookie, createBrowserCookie } from './browser-cookie.ts';

export type SessionCookie = BrowserCookie;

export const createSessionCookie = ({ isSecure }: { isSecure: boolean }): SessionCookie =>
  createBrowserCookie({ name: 'frontdesk', isSecure });
