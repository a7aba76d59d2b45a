import { createConsumer, type EventConsumer, type KafkaClient } from '@frontdesk/events';
import type { ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import type { TenantDirectory } from './tenant-directory.ts';

/** Keeps a service's projection of tenants level with the gateway. */
export function tenantsConsumer(
  deps: {
    tenants: Pick<TenantDirectory, 'apply'>;
    kafka: KafkaClient;
    deadLetters: DeadLetters;
    progress: ConsumerProgress;
    service: string;
  },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  return createConsumer({
    kafka: deps.kafka,
    group: `${deps.service}.tenants`,
    topics: ['tenants'],
    apply: (events) => deps.tenants.apply(events),
    deadLetters: deps.deadLetters,
    progress: deps.progress,
    logger,
    metrics,
  });
}
