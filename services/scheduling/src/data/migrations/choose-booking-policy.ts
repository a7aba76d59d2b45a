import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Whether the business has chosen its booking policy. False for `open` of businesses that are here already, and for what a process of
 * the release before saves: they may have it by default. Whoever has `slots_only` has chosen it, whatever stands here.
 */
export class ChooseBookingPolicy1790000100008 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table booking_settings add booking_policy_chosen boolean not null default false',
    );
  }
}
