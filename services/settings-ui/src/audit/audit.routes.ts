import { queryId } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import { regionOf } from '../region/region.rules.ts';
import { unlessEmpty } from '../ui/addresses.rules.ts';
import { auditEntryRecord } from './audit.rules.ts';
import { auditPage } from './audit.view.ts';
import { listEntries } from './audit-entry.repository.ts';

const PER_PAGE = 50;

export function auditRoutes(app: App, { database, gateway, pages }: AreaDeps): void {
  app.get(
    '/settings/audit',
    {
      config: { withoutQuery: 'Show the newest entries' },
      schema: { querystring: z.object({ before: unlessEmpty(queryId) }).loose() },
    },
    async (request, reply) => {
      const { session: by, query } = request;
      const [entries, tenant] = await Promise.all([
        listEntries(database.forTenant(by.tenantId), { before: query.before, count: PER_PAGE + 1 }),
        orNull(gateway.tenant(by)),
      ]);
      const shown = entries.slice(0, PER_PAGE).map(auditEntryRecord);
      const older = entries.length > PER_PAGE ? (shown.at(-1)?.id ?? null) : null;
      const isFirst = query.before === undefined;
      const page = { entries: shown, region: regionOf({ tenant }), older, isFirst };
      return pages.send(reply, auditPage(pages.context(request), page));
    },
  );
}
