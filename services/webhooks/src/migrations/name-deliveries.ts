import type { Migration, QueryRunner } from '@frontdesk/database';

// Processes of 0.1.0 queue deliveries without their names, also when they send one again. The event may be stored under another name.
const NAME_QUEUED = `
  create function name_queued_delivery() returns trigger language plpgsql as $$
  begin
    select d.name into new.name from deliveries d where d.tenant_id = new.tenant_id and d.id = new.delivery_id;
    return new;
  end $$;
  create trigger delivery_queue_name before insert on delivery_queue
    for each row when (new.name is null) execute function name_queued_delivery();`;

// They send what is stored. So when one of them claims a delivery under another name, the body is stored under that name as well, as they
// do themselves, and this claim passes over it: it would not see the new row. The next one takes it.
const STORE_UNDER_NAME = `
  create function store_under_name() returns trigger language plpgsql as $$
  declare
    own events;
    named_row bigint;
  begin
    select * into own from events v where v.tenant_id = new.tenant_id and v.id = new.event_row;
    if own.name is null or own.name = new.name then
      return new;
    end if;
    select v.id into named_row from events v
    where v.event_id = own.event_id and v.tenant_id = own.tenant_id and v.name = new.name limit 1;
    if named_row is null then
      insert into events (tenant_id, id, event_id, name, sequence, occurred_at, received_at, body)
      values (own.tenant_id, day_id(nextval('event_ids'), own.received_at), own.event_id, new.name, own.sequence, own.occurred_at,
        own.received_at, regexp_replace(own.body, '^(\\{"id":"[^"]*","event":")[^"]*', '\\1' || new.name))
      returning id into named_row;
    end if;
    update deliveries d set event_row = named_row where d.tenant_id = new.tenant_id and d.id = new.delivery_id;
    update delivery_queue q set event_row = named_row where q.delivery_id = new.delivery_id;
    return null;
  end $$;
  create trigger delivery_queue_body before update of lease_token on delivery_queue
    for each row when (
      old.lease_token is null and new.lease_token is not null and new.name in ('appointment.booked', 'call.completed', 'missed_call')
      and current_setting('frontdesk.names_deliveries', true) is distinct from 'on')
    execute function store_under_name();`;

/** An event is stored once, whatever names it goes by: each delivery in the queue knows its own. Both triggers go with the next release. */
export class NameDeliveries1790000000123 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_queue add column name text');
    await runner.query(NAME_QUEUED);
    await runner.query(STORE_UNDER_NAME);
  }
}
