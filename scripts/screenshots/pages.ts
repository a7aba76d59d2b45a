/** A page that `npm run screenshots` takes a picture of: `docs/images/<name>.png`, and `-dark` and `-phone` beside it. */
export interface PicturedPage {
  name: string;
  path: string;
  dark?: boolean;
  phone?: boolean;
  /** Looked at by who is not signed in. */
  isForEverybody?: boolean;
}

export const PAGES: readonly PicturedPage[] = [
  { name: 'sign-in', path: '/settings/sign-in', isForEverybody: true },
  { name: 'overview', path: '/settings', dark: true, phone: true },
  { name: 'api', path: '/settings/api', dark: true },
  { name: 'audit-log', path: '/settings/audit' },
  { name: 'account', path: '/settings/account' },
];
