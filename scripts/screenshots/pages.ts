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
  { name: 'calendar', path: '/settings/calendar', dark: true, phone: true },
  { name: 'week', path: '/settings/calendar/week' },
  { name: 'booking', path: '/settings/calendar/book', phone: true },
  { name: 'customers', path: '/settings/customers', phone: true },
  { name: 'calls', path: '/settings/calls' },
  { name: 'missed-calls', path: '/settings/calls/missed' },
  { name: 'search', path: '/settings/search' },
  { name: 'business', path: '/settings/business' },
  { name: 'services', path: '/settings/business/services' },
  { name: 'staff', path: '/settings/business/staff' },
  { name: 'opening-hours', path: '/settings/business/opening-hours' },
  { name: 'api', path: '/settings/api', dark: true },
  { name: 'api-documentation', path: '/settings/api/docs' },
  { name: 'people', path: '/settings/people' },
  { name: 'audit-log', path: '/settings/audit' },
  { name: 'account', path: '/settings/account' },
];
