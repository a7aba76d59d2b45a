import { randomUUID } from 'node:crypto';
import type { Appointment } from '@frontdesk/contracts';
import type { Pool } from 'undici';
import { sign } from '../../scripts/calls-replay/sign.ts';
import type { Call } from '../support/load.ts';
import { type BenchBusiness, phoneOf } from './businesses.ts';

/** One kind of request, and whether its floor is a write or a read. */
export interface Operation {
  name: string;
  floor: 'write' | 'read';
  call: Call;
}

const FIRST_HOUR = 6;
const SLOTS_OF_A_DAY = 32;
const PAD = 2;

/** The system refused a request that it has no room for: the rate is more than this machine holds. */
export class BusyError extends Error {}

/** The requests of an integrator's program and of a provider, the businesses taking turns. */
export function createOperations(pool: Pool, gatewayUrl: string, businesses: readonly BenchBusiness[]) {
  const at = <Item>(list: readonly Item[], n: number) => list[n % list.length] as Item;
  const send = async (
    business: BenchBusiness,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ) => {
    const answer = await pool.request({
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${business.key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode === 503) throw new BusyError(`${method} ${path}: ${text}`);
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text;
  };
  const sendFor = async (...request: Parameters<typeof send>) => (await send(...request)).length;

  /** No two bookings want the same place: each business fills a day of all its staff, then the next. */
  const place = (nth: number) => {
    const turn = Math.floor(nth / businesses.length);
    const business = at(businesses, nth);
    const slot = Math.floor(turn / business.staffIds.length);
    const minutes = (slot % SLOTS_OF_A_DAY) * 30 + FIRST_HOUR * 60;
    const date = Temporal.Now.plainDateISO('Europe/Berlin').add({
      days: 1 + Math.floor(slot / SLOTS_OF_A_DAY),
    });
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
      String(part).padStart(PAD, '0'),
    );
    return {
      business,
      staff_id: at(business.staffIds, turn),
      appointment_date: String(date),
      appointment_time: `${hour}:${minute}`,
    };
  };
  let booked = 0;
  const book = async () => {
    const nth = booked++;
    const { business, ...where } = place(nth);
    const body = { customer_id: at(business.customerIds, nth), service_id: business.serviceId, ...where };
    const text = await send(business, 'POST', '/appointments', body);
    const { data } = JSON.parse(text) as { data: Appointment };
    open.push({ business, id: data.id });
    return text.length;
  };
  /** Booked, and neither moved nor cancelled. */
  const open: { business: BenchBusiness; id: number }[] = [];
  const oldest = () => {
    const appointment = open.shift();
    if (!appointment) throw new Error('There are too few bookings to change.');
    return appointment;
  };
  let moved = 0;
  let added = 0;
  let called = 0;

  const operations: Operation[] = [
    { name: 'booking', floor: 'write', call: book },
    {
      name: 'move',
      floor: 'write',
      call: () => {
        const { business, id } = oldest();
        // Far ahead of all bookings, with the staff member who has it.
        const { appointment_date, appointment_time } = place(200_000 + moved++);
        return sendFor(business, 'PATCH', `/appointments/${id}`, { appointment_date, appointment_time });
      },
    },
    {
      name: 'cancel',
      floor: 'write',
      call: () => {
        const { business, id } = oldest();
        return sendFor(business, 'PATCH', `/appointments/${id}`, { status: 'cancelled' });
      },
    },
    {
      name: 'new customer',
      floor: 'write',
      call: () => {
        const nth = added++;
        const body = { name: `Customer ${nth}`, phone: phoneOf(1_000 + Math.floor(nth / businesses.length)) };
        return sendFor(at(businesses, nth), 'POST', '/customers', body);
      },
    },
    {
      name: 'call message',
      floor: 'write',
      call: async () => {
        const nth = called++;
        const { ingest_url, secret } = at(businesses, nth).callSource;
        const url = new URL(new URL(ingest_url).pathname, gatewayUrl);
        const body = Buffer.from(JSON.stringify(callOf(nth)));
        const signed = sign(
          'generic',
          { body, contentType: 'application/json', url: url.href },
          {
            secret,
            at: new Date(),
          },
        );
        const answer = await pool.request({
          method: 'POST',
          path: url.pathname,
          headers: signed.headers,
          body: signed.body,
        });
        const text = await answer.body.text();
        if (answer.statusCode !== 202) throw new Error(`a call message: ${answer.statusCode} ${text}`);
        return text.length;
      },
    },
    {
      name: 'slots of a day',
      floor: 'read',
      call: (n) => {
        const business = at(businesses, n);
        const date = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 30 + (n % 20) });
        const query = `date=${date}&service_id=${business.serviceId}`;
        return sendFor(business, 'GET', `/appointments/slots?${query}`);
      },
    },
    {
      name: 'list of 20 appointments',
      floor: 'read',
      call: (n) => sendFor(at(businesses, n), 'GET', '/appointments?per_page=20'),
    },
    {
      name: 'customer with totals',
      floor: 'read',
      call: (n) => {
        const business = at(businesses, n);
        return sendFor(business, 'GET', `/customers/${at(business.customerIds, n)}`);
      },
    },
  ];
  return operations;
}

function callOf(nth: number) {
  const now = Temporal.Now.instant();
  return {
    provider_call_id: `bench-${nth}`,
    direction: 'inbound',
    from_number: phoneOf(nth % 20),
    to_number: '+493012345678',
    started_at: now.subtract({ minutes: 3 }).toString(),
    ended_at: now.toString(),
    outcome: 'information',
    sentiment: 'positive',
    summary: 'Asked for the opening hours.',
    transcript: [
      { role: 'agent', text: 'Good morning, how can I help you?' },
      { role: 'customer', text: 'When are you open on Saturday?' },
    ],
  };
}
