import { createKafkaClient, type KafkaLogin, kafkaAccessError, withAdmin } from '@frontdesk/events';
import type { Engines } from '@frontdesk/local-stack';
import type { Logger } from '@frontdesk/service';

export const kafkaLogin = (username: string, password: string): KafkaLogin => ({
  username,
  passwords: () => [password],
  variable: 'ENGINE_PASSWORDS_FILE',
});

/**
 * Makes the users that Kafka doesn't let in with their password: those of a later release, of data that an earlier one left, and
 * those whose password was replaced.
 */
export async function ensureKafkaUsers(options: {
  engines: Pick<Engines, 'kafkaBrokers'> & { setKafkaUser: NonNullable<Engines['setKafkaUser']> };
  passwords: Readonly<Record<string, string>>;
  caFile?: string;
  logger: Logger;
}): Promise<void> {
  const { engines, passwords, caFile, logger } = options;
  const brokers = engines.kafkaBrokers.split(',');
  const isLetIn = async (user: string, password: string) => {
    const login = kafkaLogin(user, password);
    const kafka = createKafkaClient({ brokers, login, caFile, clientId: 'start', logger });
    try {
      return await withAdmin(kafka, async () => true);
    } catch (error) {
      if (kafkaAccessError(error, 'to log in')) return false;
      throw error;
    }
  };
  const users = await Promise.all(
    Object.entries(passwords).map(async ([user, password]) => ({
      user,
      password,
      isKnown: await isLetIn(user, password),
    })),
  );
  for (const { user, password, isKnown } of users) {
    if (!isKnown) await engines.setKafkaUser(user, password);
  }
}
