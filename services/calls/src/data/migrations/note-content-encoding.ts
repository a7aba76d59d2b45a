import type { Migration, QueryRunner } from '@frontdesk/database';

/** The coding that a message came with: its bytes are kept as they are. */
export class NoteContentEncoding1790000000216 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table call_messages add column content_encoding text');
  }
}
