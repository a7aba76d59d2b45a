import type { Client } from 'pg';
import { searchTextOf } from '../../services/crm/src/customers/search.rules.ts';
import { copyInto, type Row } from './copy-into.ts';
import { withoutIndexes } from './without-indexes.ts';

/** The business with all the customers; the others have a few each. */
export const LARGE_TENANT = 2;
const SMALL_TENANTS = [1, 3];
const CUSTOMERS_OF_SMALL = 1_000;
/** Of one customer, the first of the large tenant. */
const VISITS_OF_REGULAR = 10_000;
const YEARS_MS = 3 * 365 * 86_400_000;

/** The first are the most frequent. */
const FIRST_NAMES =
  'Anna Maria Thomas Michael Andreas Peter Stefan Christian Sabine Petra Susanne Monika Martin Markus Daniel Julia Katharina Sebastian Jan Laura Lena Sophie Marie Emma Mia Hannah Ben Paul Leon Finn Elias Jonas Luis Noah Felix Max Lukas Ayşe Mehmet Fatma Mustafa Zeynep Giulia Luca Chloé Zoë José María Łukasz Agnieszka Søren Björn Jürgen Günther Renée François Đorđe Željko Ελένη Иван Ольга Nguyễn Xaver Quirin Yasmin Wolfgang Ulrike Dörte Käthe Inés Óscar Émilie Håkon Åsa'.split(
    ' ',
  );
const FAMILY_NAMES =
  'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Meier Lehmann Schmid Schulze Maier Köhler Herrmann König Walter Mayer Huber Kaiser Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Schubert Vogel Friedrich Keller Günther Frank Berger Winkler Roth Beck Lorenz Baumann Franke Albrecht Schuster Simon Ludwig Böhm Winter Kraus Martin Schumacher Krämer Vogt Stein Jäger Otto Sommer Groß Seidel Heinrich Brandt Haas Schreiber Graf Dietrich Ziegler Kuhn Kühn Pohl Engel Horn Busch Bergmann Thomas Voigt Sauer Arnold Pfeiffer Yılmaz Kaya Demir Öztürk Nowak Kowalski Nguyen Rossi García Fernández Papadopoulos Ivanova d’Angelo van_der_Berg'.split(
    ' ',
  );
const MAIL_HOSTS = ['gmail.com', 'web.de', 'gmx.de', 't-online.de', 'icloud.com', 'outlook.com', 'yahoo.de'];
const SEGMENTS = ['lead', 'active', 'inactive', 'vip'];
const STAGES = ['new', 'contacted', 'offer', 'negotiation', 'won', 'lost', 'on hold'];
const SOURCES = ['api', 'call', 'walk_in', 'website', 'import'];

/** Pseudo-random numbers in [0, 1), the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function createPick(random: () => number) {
  /** The first of a list comes often, the last seldom. */
  return <Value>(values: readonly Value[]): Value =>
    values[Math.floor(values.length * random() ** 1.8)] as Value;
}

const ascii = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');

/** Ids and instants of creation run alike, as they do for those that came one after the other. */
function* customerRows(tenant_id: number, count: number, firstNumber: number): Generator<Row> {
  const random = randomNumbers(tenant_id);
  const pick = createPick(random);
  const now = Date.now();
  for (let n = 0; n < count; n += 1) {
    const [first, family] = [pick(FIRST_NAMES), pick(FAMILY_NAMES).replaceAll('_', ' ')];
    const name = random() < 0.03 ? `${first} ${family}-${pick(FAMILY_NAMES)}` : `${first} ${family}`;
    const number = String(15_000_000_000 + (((firstNumber + n) * 7_919) % 2_000_000_000));
    const phone = `0${number.slice(0, 3)} ${number.slice(3)}`;
    const host = random() < 0.02 ? `${ascii(family) || 'firma'}-gmbh.de` : pick(MAIL_HOSTS);
    const mail = `${ascii(first) || 'kunde'}.${ascii(family) || 'x'}${Math.floor(random() * 1_000)}@${host}`;
    const email = random() < 0.75 ? mail : null;
    const created = now - YEARS_MS + Math.floor((n / count) * YEARS_MS * 0.999);
    const updated = random() < 0.4 ? created + Math.floor(random() * (now - created)) : created;
    const phone_digits = `49${number} 0${number}`;
    yield {
      tenant_id,
      name,
      phone,
      phone_e164: `+49${number}`,
      phone_digits,
      email,
      segment: pick(SEGMENTS),
      pipeline_stage: random() < 0.6 ? pick(STAGES) : null,
      notes:
        random() < 0.3
          ? `Prefers the ${n % 2 ? 'morning' : 'afternoon'}. Asked for a call back in week ${n % 52}.`
          : null,
      source: pick(SOURCES),
      search_text: searchTextOf({ name, email, phone_digits }),
      version: 1 + (n % 3),
      created_at: new Date(created).toISOString(),
      updated_at: new Date(updated).toISOString(),
    };
  }
}

function* allCustomers(count: number): Generator<Row> {
  const [before = 0, ...after] = SMALL_TENANTS;
  yield* customerRows(before, CUSTOMERS_OF_SMALL, 0);
  yield* customerRows(LARGE_TENANT, count, CUSTOMERS_OF_SMALL);
  for (const tenant of after) yield* customerRows(tenant, CUSTOMERS_OF_SMALL, CUSTOMERS_OF_SMALL + count);
}

/** The customer with the most appointments, and every fifth of the others with one. */
const VISITS = `
  with large as (select id, row_number() over (order by id) as n from customers where tenant_id = ${LARGE_TENANT})
  insert into visits (tenant_id, appointment_id, customer_id, status, price_minor, currency, date, version)
  select ${LARGE_TENANT}, row_number() over (), large.id, case when visit % 10 < 8 then 'completed' else 'cancelled' end,
    4500, 'EUR', date '2020-01-01' + (visit % 1500)::int, 2
  from large cross join lateral generate_series(1, case when n = 1 then ${VISITS_OF_REGULAR} when n % 5 = 0 then 1 else 0 end) visit`;

const MERGED_CUSTOMERS = 2_000;

/** Ids that no customer has. */
const MERGED = `
  insert into merged_customers (tenant_id, id, merged_into, phone, phone_e164, phone_digits, version)
  select ${LARGE_TENANT}, 1000000000 + n, (select min(id) from customers where tenant_id = ${LARGE_TENANT}), '+4930' || n, '+4930' || n, '4930' || n, 2
  from generate_series(1, ${MERGED_CUSTOMERS}) n`;

const COUNTS = `
  insert into counts (tenant_id, counter, delta)
  select tenant_id, 'customers', count(*) from customers group by 1
  union all select tenant_id, concat_ws('/', 'customers', segment), count(*) from customers group by 1, 2
  union all select tenant_id, concat_ws('/', 'customers', segment, pipeline_stage), count(*) from customers
    where pipeline_stage is not null group by 1, 2`;

const TENANTS = [...SMALL_TENANTS, LARGE_TENANT].map((tenant_id) => ({
  tenant_id,
  name: `Tenant ${tenant_id}`,
  plan: 'enterprise',
  status: 'active',
  version: 1,
  timezone: 'Europe/Berlin',
  country: 'DE',
  currency: 'EUR',
}));

/**
 * Fills crm's migrated, empty database: so many customers of one tenant, some of others, their visits, and some who were merged.
 * @returns the id of the customer with the most visits
 */
export async function loadCustomers(client: Client, count: number): Promise<number> {
  await copyInto(client, 'tenants', TENANTS);
  await withoutIndexes(client, 'customers', () => copyInto(client, 'customers', allCustomers(count)));
  await client.query(VISITS);
  await client.query(MERGED);
  await client.query(COUNTS);
  await client.query('vacuum (analyze)');
  const { rows } = await client.query<{ id: number }>(
    `select min(id)::int as id from customers where tenant_id = ${LARGE_TENANT}`,
  );
  return rows[0]?.id ?? 0;
}
