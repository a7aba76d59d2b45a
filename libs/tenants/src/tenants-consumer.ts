import { createConsumer, type KafkaClient } from '@frontdesk/events';
import type { Part, ServiceContext } from '@frontdesk/service';
import type { TenantDirectory } from './tenant-directory.ts';

/** Keeps a service's projection of tenants level with the gateway. */
export function tenantsConsumer(
  deps: { tenants: TenantDirectory; kafka: KafkaClient; service: string },
  { logger, metrics }: ServiceContext,
): Part {
  return createConsumer({
    kafka: deps.kafka,
    group: `${deps.service}.tenants`,
    topics: ['tenants'],
    apply: (events) => deps.tenants.apply(events),
    logger,
    metrics,
  });
}
