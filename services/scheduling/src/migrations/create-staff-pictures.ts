import { type Migration, type QueryRunner, setAutovacuum } from '@frontdesk/database';

/** Pictures of staff: apart from them, as nobody who reads staff wants their bytes. */
export class CreateStaffPictures1790000100011 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // No reference to staff: it would lock their table while this one is made. A deleted staff member's picture is shown to nobody.
    await runner.query(`
      create table staff_pictures (
        tenant_id bigint not null,
        staff_id bigint not null,
        type text not null,
        bytes bytea not null,
        version integer not null,
        primary key (tenant_id, staff_id)
      );
      ${setAutovacuum(['staff_pictures'])}`);
  }
}
