import { type MigrationClass, sharedMigrations } from '@frontdesk/database';
import { CreateReplays1790000000103 } from './create-replays.ts';
import { CreateWebhooks1790000000101 } from './create-webhooks.ts';
import { PartitionDeliveries1790000000102 } from './partition-deliveries.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  CreateWebhooks1790000000101,
  PartitionDeliveries1790000000102,
  CreateReplays1790000000103,
];
