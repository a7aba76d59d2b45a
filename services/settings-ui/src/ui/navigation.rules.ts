import type { FormValues } from '../forms/sent-form.rules.ts';
import { mayUse, type Who } from './page-scopes.rules.ts';

/** Where pages are found: the four places of the day, and all that is set up once. */

interface Place {
  href: string;
  name: string;
}

export const TODAY = '/settings';
/** The list of all settings. */
export const SETTINGS = '/settings/all';
export const STATISTICS = '/settings/statistics';
export const SEARCH = '/settings/search';

export type PlaceIcon = 'today' | 'calendar' | 'customers' | 'calls' | 'settings';

export const PLACES: readonly (Place & { icon: PlaceIcon })[] = [
  { href: TODAY, name: 'Today', icon: 'today' },
  { href: '/settings/calendar', name: 'Calendar', icon: 'calendar' },
  { href: '/settings/customers', name: 'Customers', icon: 'customers' },
  { href: '/settings/calls', name: 'Calls', icon: 'calls' },
];

interface SettingsGroup {
  name: string;
  pages: readonly (Place & { hint: string })[];
}

export const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    name: 'Business',
    pages: [
      {
        href: '/settings/business',
        name: 'Profile and booking',
        hint: 'Name, time zone, and how far ahead customers book',
      },
      {
        href: '/settings/business/services',
        name: 'Services',
        hint: 'What customers book, how long it takes and what it costs',
      },
      {
        href: '/settings/business/opening-hours',
        name: 'Opening hours',
        hint: 'The week, special hours and closing days',
      },
    ],
  },
  {
    name: 'Team',
    pages: [
      {
        href: '/settings/business/staff',
        name: 'Staff',
        hint: 'Who performs services, their hours and time off',
      },
      { href: '/settings/people', name: 'People', hint: 'Who can sign in, and invitations' },
    ],
  },
  {
    name: 'Integrations',
    pages: [
      {
        href: '/settings/calls/sources',
        name: 'Call sources',
        hint: 'Phone lines and voice agents that send their calls',
      },
      { href: '/settings/api', name: 'API and webhooks', hint: 'Keys, endpoints and the delivery log' },
      { href: '/settings/api/docs', name: 'Documentation', hint: 'For integrators' },
    ],
  },
  {
    name: 'Reports',
    pages: [
      { href: STATISTICS, name: 'Statistics', hint: 'Appointments, calls, deliveries and requests' },
      { href: '/settings/audit', name: 'Audit log', hint: 'Who changed what, and when' },
    ],
  },
];

/** Those that somebody may see. */
export const settingsFor = (who: Who): readonly SettingsGroup[] =>
  SETTINGS_GROUPS.map(({ name, pages }) => ({
    name,
    pages: pages.filter(({ href }) => mayUse(who, 'GET', href)),
  })).filter(({ pages }) => pages.length > 0);

/** Whether the page is one of the settings, and stands in their list. */
export const isOfSettings = (at: string): boolean =>
  SETTINGS_GROUPS.some(({ pages }) => pages.some(({ href }) => href === at));

/** Whether a form was sent from Today, and leads back there; others lead to the record that they have changed. */
export const leadsToToday = (sent: FormValues | undefined): boolean => sent?.return_to === 'today';
