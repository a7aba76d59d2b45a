import { makeBaseline, setAutovacuum } from '@frontdesk/database';

const REPLACES = [
  'CreateCustomers1790000200001',
  'CreateVisits1790000200002',
  'IndexCustomersByUpdate1790000200003',
  'FoldSearchText1790000200004',
  'CountCustomersByFilter1790000200005',
  'IndexCustomersByGrams1790000200006',
  'CoverVisits1790000200007',
  'WalkSearchText1790000200008',
  'SetAutovacuum1790000200009',
];

const CUSTOMERS = `
  create table customers (
    tenant_id bigint not null,
    id bigint generated always as identity,
    name text not null,
    phone text not null,
    phone_e164 text not null,
    phone_digits text not null,
    email text,
    segment text not null check (segment in ('lead', 'active', 'inactive', 'vip')),
    pipeline_stage text,
    notes text,
    source text not null,
    search_text text not null,
    version bigint not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- A search that walks the newest customers reads the key alone.
    primary key (tenant_id, id) include (search_text),
    constraint customers_phone_unique unique (tenant_id, phone_e164)
  );
  create index customers_by_segment on customers (tenant_id, segment, id);
  create index customers_by_pipeline_stage on customers (tenant_id, pipeline_stage, id)
    where pipeline_stage is not null;
  create index customers_by_segment_and_stage on customers (tenant_id, segment, pipeline_stage, id)
    where pipeline_stage is not null;
  -- For those who poll with updated_since.
  create index customers_by_update on customers (tenant_id, updated_at, id);`;

/**
 * btree_gin lets the tenant into the indexes: a search reads no other tenant's entries. It reads all that isn't merged into the index yet,
 * so that is kept small (in kB). What is searched for may be shorter than a trigram, a Chinese name for example, or have neither letter
 * nor digit. So there are grams too: each character, and each pair, those that begin at an odd place and those at an even one. Nothing
 * of that runs a subquery, which would take ten times as long.
 */
const SEARCH = `
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index customers_by_search_text on customers using gin (tenant_id, search_text gin_trgm_ops)
    with (gin_pending_list_limit = 128);
  create function search_grams(searched text) returns text[] language sql immutable parallel safe return
    string_to_array(searched, null)
    || string_to_array(regexp_replace(searched, '(..)', E'\\\\1\\x1e', 'g'), E'\\x1e')
    || string_to_array(regexp_replace(substr(searched, 2), '(..)', E'\\\\1\\x1e', 'g'), E'\\x1e');
  create index customers_by_search_grams on customers using gin (tenant_id, search_grams(search_text))
    with (gin_pending_list_limit = 128);`;

/** No foreign key to customers: a projection takes events in whatever order they come. */
const VISITS = `
  create table visits (
    tenant_id bigint not null,
    appointment_id bigint not null,
    customer_id bigint not null,
    status text not null,
    price_minor bigint not null,
    currency text not null,
    date date not null,
    version bigint not null,
    primary key (tenant_id, appointment_id)
  );
  -- Adding up the many visits of one customer reads the index alone.
  create index visits_of_customer on visits (tenant_id, customer_id) include (status, currency, price_minor, date);`;

export const baseline = makeBaseline(
  REPLACES,
  [CUSTOMERS, SEARCH, VISITS, setAutovacuum(['customers', 'visits'])].join('\n'),
);
