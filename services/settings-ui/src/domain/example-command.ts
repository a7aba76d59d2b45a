import type { Operation } from '@frontdesk/contracts';

/** Stand in examples for what is each tenant's own, until a page is shown. */
const TENANTS_OWN = {
  service_id: '{{service_id}}',
  staff_id: '{{staff_id}}',
  date: '{{date}}',
} as const;

/** What a tenant's examples say in their place. */
export type ExampleValues = Record<keyof typeof TENANTS_OWN, string>;

/** By the name of a parameter or field. */
const IN_PLACE_OF: Record<string, string> = {
  service_id: TENANTS_OWN.service_id,
  staff_id: TENANTS_OWN.staff_id,
  customer_id: 'CUSTOMER_ID',
  date: TENANTS_OWN.date,
  appointment_date: TENANTS_OWN.date,
};

const IDS: Record<Operation['resource'], string> = {
  appointments: 'APPOINTMENT_ID',
  customers: 'CUSTOMER_ID',
  calls: 'CALL_ID',
  staff: TENANTS_OWN.staff_id,
  services: TENANTS_OWN.service_id,
};

/** A command for a terminal that makes the request. */
export function exampleCommand(operation: Operation, publicUrl: string): string {
  const { method, path, resource, query, body, example = {} } = operation;
  const entries = Object.entries(example).map(([name, value]) => [name, IN_PLACE_OF[name] ?? value] as const);
  const search = query ? entries.map(([name, value]) => `${name}=${value}`).join('&') : '';
  const url = publicUrl + path.replace('{id}', IDS[resource]) + (search && `?${search}`);
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    `-H "Authorization: Bearer $FRONTDESK_KEY"`,
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${bodyOf(entries)}'`] : []),
  ].join(' \\\n  ');
}

/** Ids are numbers: what stands for one has no quotes. */
const bodyOf = (entries: (readonly [string, string | number])[]) =>
  `{${entries
    .map(([name, value]) => `"${name}": ${name.endsWith('_id') ? value : JSON.stringify(value)}`)
    .join(', ')}}`;

/** The text with a tenant's own values. */
export const withValues = (text: string, values: ExampleValues): string =>
  Object.entries(TENANTS_OWN).reduce(
    (filled, [name, mark]) => filled.replaceAll(mark, values[name as keyof ExampleValues]),
    text,
  );
