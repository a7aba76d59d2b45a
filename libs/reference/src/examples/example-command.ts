import { EXAMPLES, type Operation } from '@frontdesk/contracts';

/** Null: the business has none. Undefined: unknown right now. */
type Own<Value> = Value | null | undefined;

/** Two times of a day at which one service can be booked. */
export interface FreeTimes {
  service_id: number;
  /** Null in a business without staff. */
  staff_id: number | null;
  date: string;
  time: string;
  /** The same where there is no other. */
  otherTime: string;
}

/** What a business has of its own for its examples to name. */
export interface ExampleRecords {
  service: Own<number>;
  staff: Own<number>;
  customer: Own<number>;
  appointment: Own<number>;
  call: Own<number>;
  booking: Own<FreeTimes>;
  /** By the business's clocks; null where it is the day on which an example runs. */
  today: Temporal.PlainDate | null;
}

/** What examples name for everybody: the records that the documentation shows. */
export const SHOWN_RECORDS: ExampleRecords = {
  service: EXAMPLES.service.id,
  staff: EXAMPLES.staff.id,
  customer: EXAMPLES.customer.id,
  appointment: EXAMPLES.appointment.id,
  call: EXAMPLES.call.id,
  today: null,
  booking: {
    service_id: EXAMPLES.service.id,
    staff_id: EXAMPLES.staff.id,
    date: EXAMPLES.slot.date,
    time: EXAMPLES.slot.time,
    otherTime: '11:30',
  },
};

export type ExampleNeed = Exclude<keyof ExampleRecords, 'today'>;

/** What an operation's example can't do without. Those that change something act on what other examples have made. */
const NEEDS: Record<string, ExampleNeed> = {
  'create-appointment': 'booking',
  'list-slots': 'booking',
  'get-appointment': 'appointment',
  'update-appointment': 'booking',
  'update-appointment-status': 'booking',
  'cancel-appointment': 'booking',
  'create-hold': 'booking',
  'get-hold': 'booking',
  'book-hold': 'booking',
  'release-hold': 'booking',
  'get-customer': 'customer',
  'get-call': 'call',
  'get-staff-member': 'staff',
  'get-service': 'service',
};

/** The shell's variables that hold the ids of what examples have made. Nothing is sent while they are empty. */
const orElse = (variable: string, say: string) => `\${${variable}:?${say}}`;
const CUSTOMER_ID = orElse('CUSTOMER_ID', 'add the example customer first');
const APPOINTMENT_ID = orElse('APPOINTMENT_ID', 'book the example appointment first');
const HOLD_ID = orElse('HOLD_ID', 'hold the example time first');
const WEBHOOK_ID = orElse('WEBHOOK_ID', 'add the example endpoint first');
const DELIVERY_ID = orElse('DELIVERY_ID', 'send it a test event first');
/** Which variable keeps the id of what an operation makes. */
const KEEPS: Record<string, string> = {
  'create-appointment': 'APPOINTMENT_ID',
  'create-hold': 'HOLD_ID',
  'book-hold': 'APPOINTMENT_ID',
  'create-customer': 'CUSTOMER_ID',
  'create-webhook': 'WEBHOOK_ID',
  'test-webhook': 'DELIVERY_ID',
};

/** The id of what another example has made; undefined where the example names a record of the business. */
function madeId({ record, method }: Operation): string | undefined {
  if (record === 'Hold') return HOLD_ID;
  if (record === 'Webhook endpoint') return WEBHOOK_ID;
  if (record === 'Delivery') return DELIVERY_ID;
  if (method === 'GET') return undefined;
  return record === 'Customer' ? CUSTOMER_ID : APPOINTMENT_ID;
}

/** Shows the answer and keeps the id that is in it; none where the request was refused. */
const KEEP_ID = `node -e 'const answer = fs.readFileSync(0, "utf8"); console.error(answer); console.log(/"data":{"id":(\\d+)/.exec(answer)?.[1] ?? "")'`;

const DAYS_OF_CALLS = 30;

export interface ExampleCommand {
  /** For a terminal. Missing values are placeholders in angle brackets. */
  text: string;
  /** It names ids, dates or times of a business. */
  isOwn: boolean;
  missing: ExampleNeed | null;
}

const onceADay = (today: Temporal.PlainDate | null) =>
  today
    ? `-H 'Idempotency-Key: example-${today}'`
    : `-H "Idempotency-Key: example-$(node -p 'new Date().toISOString().slice(0, 10)')"`;

/** A command that makes the request. It runs as it is, unless something is missing. */
export function exampleCommand(operation: Operation, publicUrl: string, own: ExampleRecords): ExampleCommand {
  const { id, method, path, query, body, example = {} } = operation;
  const need = NEEDS[id];
  const values = Object.entries({ ...example, ...ownValues(operation, own) }).filter(
    ([, value]) => value !== null,
  );
  const search = query && !body ? values.map(([name, value]) => `${name}=${value}`).join('&') : '';
  const ownId = need === undefined || need === 'booking' ? null : own[need];
  const recordId = madeId(operation) ?? ownId ?? `<${need} id>`;
  const url = publicUrl + path.replace('{id}', String(recordId)) + (search && `?${search}`);
  const kept = KEEPS[id];
  const command = [
    `curl${kept ? ' -sS' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    `-H "Authorization: Bearer $FRONTDESK_KEY"`,
    ...(id === 'create-customer' ? [onceADay(own.today)] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${bodyOf(values)}'`] : []),
  ].join(' \\\n  ');
  return {
    text: kept ? `${kept}=$(${command} \\\n  | ${KEEP_ID})` : command,
    isOwn: need !== undefined,
    missing: need !== undefined && (own[need] ?? null) === null ? need : null,
  };
}

/** Names and values of a request's fields that are not the same for every business and day; null leaves one out. */
function ownValues(
  { id }: Operation,
  { booking, today }: ExampleRecords,
): Record<string, string | number | null> {
  const { service_id, staff_id, date, time, otherTime } = booking ?? UNKNOWN_TIMES;
  switch (id) {
    case 'create-appointment':
      return {
        customer_id: `'${CUSTOMER_ID}'`,
        service_id,
        staff_id,
        appointment_date: date,
        appointment_time: time,
        notes: 'Made by an example',
      };
    case 'create-hold':
      return { service_id, staff_id, appointment_date: date, appointment_time: time };
    case 'book-hold':
      return { customer_id: `'${CUSTOMER_ID}'`, notes: 'Made by an example' };
    case 'list-slots':
      return { date, service_id, staff_id };
    case 'update-appointment':
      return { appointment_time: otherTime };
    case 'create-customer':
      return { name: 'Mia Wong (example)', phone: exampleNumber(today) };
    case 'list-calls':
      return {
        from_date:
          today?.subtract({ days: DAYS_OF_CALLS }).toString() ?? EXAMPLES.appointment.appointment_date,
      };
    default:
      return {};
  }
}

const UNKNOWN_TIMES = {
  service_id: '<service id>',
  staff_id: '<staff id>',
  date: '<date>',
  time: '<time>',
  otherTime: '<time>',
};

/** Another one each day, as a number belongs to one customer; nobody is called by it. */
function exampleNumber(today: Temporal.PlainDate | null): string {
  if (today === null) return `+1 212 555 '$(node -p '1000 + Math.floor(Date.now() / 86400000) % 9000')'`;
  const days = Temporal.PlainDate.from('1970-01-01').until(today).days;
  return `+1 212 555 ${1_000 + (days % 9_000)}`;
}

const quoted = (url: string) => (url.includes('$') ? `"${url}"` : `'${url}'`);

/** Ids are numbers: what stands for one has no quotes. */
const bodyOf = (values: (readonly [string, unknown])[]) =>
  `{${values
    .map(([name, value]) => `"${name}": ${name.endsWith('_id') ? String(value) : JSON.stringify(value)}`)
    .join(', ')}}`;
