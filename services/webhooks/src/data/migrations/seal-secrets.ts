import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * `secret` and `previous_secret` hold sealed texts from now on. What is there is sealed by the service, which has the keys: until
 * it has been, it is read as it is.
 */
export class SealSecrets1790000000107 implements Migration {
  /** `secret_last_four` is of a sealed secret, the index shows what each key has sealed. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table endpoints add column secret_last_four text');
    await runner.query(`
      create index endpoints_sealed_by on endpoints (split_part(secret, '.', 2)) where deleted_at is null`);
    await runner.query(`
      update endpoints set secret = '', previous_secret = null, previous_secret_until = null
      where deleted_at is not null`);
  }

  /** Endpoints whose secrets are sealed need new ones. */
}
