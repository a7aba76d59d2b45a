import type { App } from '@frontdesk/service';
import type { AreaDeps } from '../shared/area-deps.ts';
import { openingHoursRoutes } from './opening-hours.routes.ts';
import { profileRoutes } from './profile.routes.ts';
import { serviceRoutes } from './services.routes.ts';
import { staffRoutes } from './staff.routes.ts';
import { staffMemberRoutes } from './staff-member.routes.ts';

/** How admins run the business itself: its profile, services, staff and hours. */
export function businessRoutes(app: App, deps: AreaDeps): void {
  profileRoutes(app, deps);
  serviceRoutes(app, deps);
  staffRoutes(app, deps);
  staffMemberRoutes(app, deps);
  openingHoursRoutes(app, deps);
}
