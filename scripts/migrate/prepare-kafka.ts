import {
  closedHint,
  createKafkaClient,
  ensureRights,
  ensureTopics,
  type KafkaAccess,
  kafkaAccessError,
} from '@frontdesk/events';
import type { Logger } from '@frontdesk/service';

/**
 * Brings Kafka to this release: its topics, and the rights of each service's user. Safe to repeat and to run twice at once.
 * @param options.access with the administrator's login where Kafka has users; without it there are no rights to give
 */
export async function prepareKafka(options: { access: KafkaAccess; logger: Logger }): Promise<void> {
  const { access, logger } = options;
  const kafka = createKafkaClient({ ...access, clientId: 'migrate', logger });
  try {
    await ensureTopics({ kafka });
    if (access.login) await ensureRights(kafka);
  } catch (error) {
    const hint = closedHint(error);
    throw (
      kafkaAccessError(error, 'to make topics and rights') ??
      (hint ? new Error(hint, { cause: error }) : error)
    );
  }
}
