import type { Database } from '@frontdesk/database';
import type { Changes } from './changes/changes.ts';
import type { FormTokens } from './changes/form-tokens.ts';
import type { Clients } from './clients/clients.ts';
import type { LiveStreams } from './live/live-streams.ts';
import type { Pages } from './ui/pages.ts';

/** What the routes behind the sign-in work with. */
export interface AreaDeps extends Clients {
  database: Database;
  changes: Changes;
  forms: FormTokens;
  pages: Pages;
  streams: LiveStreams;
  /** These pages as browsers reach them, and the gateway as integrators do. */
  settingsUrl: string;
  publicUrl: string;
}
