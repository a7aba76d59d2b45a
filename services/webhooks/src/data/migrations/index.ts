import type { MigrationClass } from '@frontdesk/database';
import { CreateWebhooks1790000000101 } from './create-webhooks.ts';
import { PartitionDeliveries1790000000102 } from './partition-deliveries.ts';

/** Webhooks emits no events and takes no idempotency keys, so it has none of the shared tables. */
export const migrations: readonly MigrationClass[] = [
  CreateWebhooks1790000000101,
  PartitionDeliveries1790000000102,
];
