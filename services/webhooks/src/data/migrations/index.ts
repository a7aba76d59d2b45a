import { addColumn, type MigrationClass, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { AnalyseGrownPartitions1790000000121 } from './analyse-grown-partitions.ts';
import { CreateDeliveryCounts1790000000106 } from './create-delivery-counts.ts';
import { CreateEndedEndpoints1790000000105 } from './create-ended-endpoints.ts';
import { CreateReplays1790000000103 } from './create-replays.ts';
import { CreateWebhooks1790000000101 } from './create-webhooks.ts';
import { DropEventsAlias1790000000115 } from './drop-events-alias.ts';
import { DropEventsByEvent1790000000119 } from './drop-events-by-event.ts';
import { FindEvents1790000000114 } from './find-events.ts';
import { FindEventsById1790000000118 } from './find-events-by-id.ts';
import { HoldSuspended1790000000110 } from './hold-suspended.ts';
import { KeepQueuePages1790000000120 } from './keep-queue-pages.ts';
import { LightenDeliveries1790000000104 } from './lighten-deliveries.ts';
import { OrderQueue1790000000108 } from './order-queue.ts';
import { PartitionDeliveries1790000000102 } from './partition-deliveries.ts';
import { QueueEventRows1790000000109 } from './queue-event-rows.ts';
import { RememberPauses1790000000111 } from './remember-pauses.ts';
import { ReplayMissed1790000000116 } from './replay-missed.ts';
import { SealSecrets1790000000107 } from './seal-secrets.ts';
import { SearchLog1790000000112 } from './search-log.ts';
import { TimeAttempts1790000000113 } from './time-attempts.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  ...tenantsMigrations,
  CreateWebhooks1790000000101,
  PartitionDeliveries1790000000102,
  CreateReplays1790000000103,
  LightenDeliveries1790000000104,
  CreateEndedEndpoints1790000000105,
  CreateDeliveryCounts1790000000106,
  SealSecrets1790000000107,
  OrderQueue1790000000108,
  QueueEventRows1790000000109,
  HoldSuspended1790000000110,
  RememberPauses1790000000111,
  SearchLog1790000000112,
  TimeAttempts1790000000113,
  FindEvents1790000000114,
  DropEventsAlias1790000000115,
  ReplayMissed1790000000116,
  FindEventsById1790000000118,
  DropEventsByEvent1790000000119,
  KeepQueuePages1790000000120,
  AnalyseGrownPartitions1790000000121,
  addColumn('TraceDeliveries1790000000122', 'delivery_queue', { name: 'traceparent', type: 'text' }),
];
