import type { KeysClient } from '../../clients/keys.client.ts';
import type { SchedulingClient } from '../../clients/scheduling.client.ts';
import type { Changes } from '../changes.ts';
import type { Pages } from '../pages.ts';

/** What the routes of `/settings/business` work with. */
export interface BusinessDeps {
  gateway: KeysClient;
  scheduling: SchedulingClient;
  changes: Changes;
  pages: Pages;
}
