import { createConsumer, type KafkaClient } from '@frontdesk/events';
import type { Part, ServiceContext } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';

/** Keeps the projection of tenants level with the gateway. */
export function tenantsConsumer(
  deps: { tenants: TenantDirectory; kafka: KafkaClient },
  { logger, metrics }: ServiceContext,
): Part {
  return createConsumer({
    kafka: deps.kafka,
    group: 'scheduling.tenants',
    topics: ['tenants'],
    apply: (events) => deps.tenants.apply(events),
    logger,
    metrics,
  });
}
