import { Redis } from 'ioredis';

/**
 * Gives a running Redis the users of an ACL file, one by one: `ACL LOAD` would end the connections of users that change.
 * Open connections stay, with the new rights. `adminUrl` carries the administrator's user and password.
 */
export async function setUsers(adminUrl: string, aclFile: string): Promise<void> {
  const redis = new Redis(adminUrl, { lazyConnect: true, retryStrategy: () => null });
  let cause: Error | undefined;
  redis.on('error', (error: Error) => {
    cause = error;
  });
  try {
    await redis.connect();
    for (const line of aclFile.trim().split('\n')) {
      const [, name = '', ...rules] = line.split(' ');
      await redis.acl('SETUSER', name, 'reset', ...rules);
    }
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
