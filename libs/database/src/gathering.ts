import type { Client } from './connection-pool.ts';

/** The same connection; what is asked of it in one turn of the event loop leaves in one write, as each write wakes the server. */
export function gathering(client: Client): Client {
  const stream = client.connection?.stream;
  if (!stream) return client;
  let isGathering = false;
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
  return {
    connection: { stream },
    query(query) {
      gather();
      return client.query(query);
    },
  };
}
