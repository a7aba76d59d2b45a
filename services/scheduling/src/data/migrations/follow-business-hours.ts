import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Whether somebody works in the business's opening hours rather than in hours of their own. False for those who are here already, and for
 * those whom a process of the release before adds: it knows only hours of their own.
 */
export class FollowBusinessHours1790000100005 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table staff add follows_business_hours boolean not null default false');
  }
}
