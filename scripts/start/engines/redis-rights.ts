import { createHash } from 'node:crypto';
import { administratorPasswords, type EnginePasswordFiles, usersOf } from './engine-passwords.ts';

/** A connection of a service, and the script of the rate limits (libs/redis), which counted by `mget` and `incrby` in 0.1.0. */
const EVERY_SERVICE =
  '+ping +info +client|setname +eval +evalsha +time +mget +hmget +hset +del +pexpireat +incrby';

/** Service → its keys, its channels and its commands, in the words of Redis's access control lists. */
const RIGHTS: Readonly<Record<string, string>> = {
  gateway: [
    '~rate:{tenant:* ~rate:{ingest:* ~rate:{address:* ~rate:{ingest-address:* ~requests:*',
    '&gateway:access-changed',
    `${EVERY_SERVICE} +multi +exec +hincrby +expire +publish +subscribe +pubsub|numsub +cluster|slots +cluster|info +readonly +readwrite +asking`,
  ].join(' '),
  'settings-ui': [
    '~settings:* ~rate:{pages-* ~rate:{sign-in-* ~rate:{password-change:*',
    `${EVERY_SERVICE} +get +getex +pttl +set +zadd +zcount +zrange +zrangebyscore +zrem +zremrangebyscore +zscore`,
  ].join(' '),
};

/** Redis's ACL file: a user for each service and an administrator, with hashes of their passwords; nobody else gets in. */
export async function redisUsersFile(files: EnginePasswordFiles): Promise<string> {
  const users = usersOf('redis', files);
  const lines = users.map(
    ({ service, user, passwords }) => `user ${user} on ${passwords.map(hashOf).join(' ')} ${RIGHTS[service]}`,
  );
  const administrator = (await administratorPasswords('redis', files)).map(hashOf).join(' ');
  return ['user default off', `user admin on ${administrator} ~* &* +@all`, ...lines, ''].join('\n');
}

const hashOf = (password: string) => `#${createHash('sha256').update(password).digest('hex')}`;
