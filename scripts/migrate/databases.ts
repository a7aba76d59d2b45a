import type { migrate } from '@frontdesk/database';

/** The services that own a database, `frontdesk_<service>` with an underscore for a hyphen, under a role of the same name. */
export const DATABASE_OWNERS = ['gateway', 'scheduling', 'crm', 'calls', 'webhooks', 'settings-ui'] as const;

export type DatabaseOwner = (typeof DATABASE_OWNERS)[number];
export type DatabaseUrls = Record<DatabaseOwner, string>;
type Migrations = Parameters<typeof migrate>[0]['migrations'];

/** Role, password and database as a service's URL states them. */
export function ownerOf(databaseUrl: string): { role: string; password: string; database: string } {
  const url = new URL(databaseUrl);
  return {
    role: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  };
}

/** The URLs of a system on one machine, without passwords: each service's role at the server of `adminUrl`. */
export function localDatabaseUrls(adminUrl: string): DatabaseUrls {
  return Object.fromEntries(
    DATABASE_OWNERS.map((owner) => {
      const url = new URL(adminUrl);
      url.username = url.pathname = `frontdesk_${owner.replace('-', '_')}`;
      url.password = '';
      return [owner, url.href];
    }),
  ) as DatabaseUrls;
}

export async function migrationsOf(owner: DatabaseOwner): Promise<Migrations> {
  const module = (await import(`../../services/${owner}/src/migrations/index.ts`)) as {
    migrations: Migrations;
  };
  return module.migrations;
}
