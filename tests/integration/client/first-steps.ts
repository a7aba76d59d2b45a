import { join } from 'node:path';
import { runCommand } from '../../e2e/support/command.ts';
import type { Project } from './project.ts';

/** What an integrator writes first, the same for both kinds of modules. */
const FIRST_STEPS = `
const frontdesk = new Frontdesk({ apiKey, baseUrl });
async function main() {
  const [service] = await frontdesk.services.list();
  const customer = await frontdesk.customers.create({ name: 'Mia Wong', phone });
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const [slot] = await frontdesk.appointments.slots({ date, service_id: service.id });
  const body = { customer_id: customer.id, service_id: service.id, staff_id: slot.staff_id, appointment_date: slot.date, appointment_time: slot.time };
  const booked = await frontdesk.appointments.create(body).withResponse();
  const taken = await frontdesk.appointments.create(body).catch((error) => error);
  const all = [];
  for await (const { id } of frontdesk.appointments.list({ customer_id: customer.id, per_page: 1 })) all.push(id);
  const cancelled = await frontdesk.appointments.cancel(booked.data.id, { ifMatch: booked.etag });
  const { customer_id, ...place } = body;
  const hold = await frontdesk.holds.create({ ...place, seconds: 60 });
  const ofHold = await frontdesk.holds.book(hold.id, { customer_id });
  const notReleased = await frontdesk.holds.release(hold.id).catch((error) => error);
  await frontdesk.appointments.cancel(ofHold.id);
  const { status: released } = await frontdesk.holds.release((await frontdesk.holds.create(place)).id);
  return { held: [hold.status, ofHold.id === hold.id, notReleased.code, released], etag: booked.etag, taken: taken instanceof ApiError && taken.code, free: taken.data?.alternatives.length, all: all.length, status: cancelled.status };
}
`;

/** What it says of itself, whatever the kind of module. */
export const TAKEN_STEPS = {
  held: ['open', true, 'hold_booked', 'expired'],
  etag: expect.any(String),
  taken: 'slot_unavailable',
  free: expect.any(Number),
  all: 1,
  status: 'cancelled',
};

const FIRST_LINES = {
  'first.mjs': "import { ApiError, Frontdesk } from '@frontdesk/client';",
  'first.cjs': "const { ApiError, Frontdesk } = require('@frontdesk/client');",
};

/** Runs the first steps with this Node. @returns what the program printed */
export async function runFirstSteps(
  project: Project,
  file: keyof typeof FIRST_LINES,
  { node, baseUrl, apiKey, phone }: { node: string; baseUrl: string; apiKey: string; phone: string },
) {
  const program = [
    FIRST_LINES[file],
    'const { CLIENT_URL: baseUrl, CLIENT_KEY: apiKey, PHONE: phone } = process.env;',
    FIRST_STEPS,
    'main().then((result) => console.log(JSON.stringify(result)));',
  ];
  await project.write(file, program.join('\n'));
  const env = { PATH: process.env.PATH, CLIENT_URL: baseUrl, CLIENT_KEY: apiKey, PHONE: phone };
  const { stdout, stderr } = await runCommand([node, join(project.directory, file)], { env });
  return { result: stderr === '' ? JSON.parse(stdout) : stdout, stderr };
}

/** The same as an expression for a page that has the client's modules beneath /client. */
export const inBrowser = (options: {
  baseUrl: string;
  apiKey: string;
  phone: string;
}): string => `(async () => {
const { ApiError, Frontdesk } = await import('/client/index.js');
const { baseUrl, apiKey, phone } = ${JSON.stringify(options)};
${FIRST_STEPS}
return main();
})()`;
