import { gatewayRoutes } from '@frontdesk/contracts';
import { requestOf } from '@frontdesk/service';
import { everyPage } from '../every-page.ts';
import { createSeedClients, type SeedUrls } from './clients.ts';
import { dentalPractice } from './dental-practice.ts';
import { hairStudio } from './hair-studio.ts';
import { type DemoTenant, seedTenant } from './seed-tenant.ts';
import { wellnessGroup } from './wellness-group.ts';

export type { SeedUrls } from './clients.ts';
export type { DemoTenant } from './seed-tenant.ts';

const BUSINESSES = [hairStudio, dentalPractice, wellnessGroup];

/**
 * Fills a running system with three believable businesses, one for each plan, and returns them with their API keys.
 * Businesses that are there already are left as they are: pass what an earlier call returned as `previous`, or a
 * complete one gets a further key, since the text of the first can't be read back.
 */
export async function seedDemo(options: {
  urls: SeedUrls;
  /** Folder with `<issuer>.json`, each a private JWK. */
  keysDirectory: string;
  previous?: readonly DemoTenant[];
  /** The day around which appointments lie; each business's own today when left out. */
  today?: Temporal.PlainDate;
  onProgress?: (text: string) => void;
}): Promise<DemoTenant[]> {
  const { urls, keysDirectory, previous = [], today, onProgress = () => {} } = options;
  const clients = await createSeedClients(urls, keysDirectory);
  try {
    const existing = await everyPage((query) =>
      clients.gateway.request(requestOf(gatewayRoutes.listTenants, { query })),
    );
    const seeded: DemoTenant[] = [];
    for (const business of BUSINESSES) {
      const { name } = business.tenant;
      const { tenant, isNew } = await seedTenant(clients, business, {
        existing: existing.find((candidate) => candidate.name === name),
        previous: previous.find((candidate) => candidate.name === name),
        today,
      });
      onProgress(isNew ? `seeded ${name}` : `found ${name}`);
      seeded.push(tenant);
    }
    return seeded;
  } finally {
    await clients.close();
  }
}
