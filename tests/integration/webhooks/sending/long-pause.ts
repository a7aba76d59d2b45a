import type { Client } from 'pg';

/** From now on an endpoint whose breaker opens is left alone for a day, so that it is tried again only when a test says so. */
export async function pauseForLong(client: Client): Promise<void> {
  await client.query(
    `create function pause_for_long() returns trigger language plpgsql as
       $$ begin new.retry_at := now() + interval '1 day'; return new; end $$`,
  );
  await client.query(
    `create trigger pause_for_long before update on endpoints for each row
     when (old.retry_at is null and new.retry_at is not null) execute function pause_for_long()`,
  );
}
