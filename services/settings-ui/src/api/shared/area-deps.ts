import type { Database } from '@frontdesk/database';
import type { Clients } from '../../clients/clients.ts';
import type { Changes } from './changes.ts';
import type { LiveStreams } from './live-streams.ts';
import type { Pages } from './pages.ts';

/** What the routes behind the sign-in work with. */
export interface AreaDeps extends Clients {
  database: Database;
  changes: Changes;
  pages: Pages;
  streams: LiveStreams;
  /** These pages as browsers reach them, and the gateway as integrators do. */
  settingsUrl: string;
  publicUrl: string;
}
