import {
  businessDocument,
  createCustomerBody,
  createTenantBody,
  utterance,
  WEEKDAYS,
} from '@frontdesk/contracts';
import { parsePhone } from '@frontdesk/phone';
import fc from 'fast-check';
import { z } from 'zod';
import { planAppointments } from './appointments.ts';
import { planCalls } from './calls/plan-calls.ts';
import { CUSTOMERS_PER_BUSINESS, demoCustomers } from './customers.ts';
import type { DemoBusiness } from './demo-business.ts';
import { dentalPractice } from './dental-practice.ts';
import { hairStudio } from './hair-studio.ts';
import { wellnessGroup } from './wellness-group.ts';

const businesses = [hairStudio, dentalPractice, wellnessGroup];
const today = Temporal.PlainDate.from('2026-03-25');

it('has one business for each plan, each in a zone of its own', () => {
  expect(businesses.map(({ tenant }) => tenant.plan)).toEqual(['starter', 'pro', 'enterprise']);
  expect(new Set(businesses.map(({ tenant }) => tenant.timezone)).size).toBe(3);
});

describe.each(businesses.map((business) => [business.tenant.name, business] as const))(
  '%s',
  (_name, business) => {
    it('is what the APIs take', () => {
      expect(createTenantBody.parse(business.tenant)).toEqual(business.tenant);
      expect(businessDocument.parse(business.document)).toEqual(business.document);
      for (const customer of demoCustomers(business))
        expect(createCustomerBody.parse(customer)).toEqual(customer);
    });

    it('names only services that it has, and has staff for each', () => {
      const { services, staff } = business.document;
      const performed = new Set(staff.flatMap((member) => member.services));
      expect([...performed].sort()).toEqual(services.map(({ name }) => name).sort());
    });

    it('tells the same story every time', () => {
      expect(demoCustomers(business)).toEqual(demoCustomers(business));
      expect(planAppointments(business, today)).toEqual(planAppointments(business, today));
    });

    it('has eight weeks of calls up to yesterday, each a message that Frontdesk understands', () => {
      const calls = planCalls(business, today);
      expect(calls).toEqual(planCalls(business, today));
      expect(calls.length).toBeGreaterThanOrEqual(24);
      expect(new Set(calls.map(({ provider_call_id }) => provider_call_id)).size).toBe(calls.length);
      const midnight = today.toZonedDateTime(business.tenant.timezone).toInstant();
      for (const { started_at, ended_at, transcript, summary = 'none' } of calls) {
        const [start, end] = [started_at, ended_at].map((text) => Temporal.Instant.from(text));
        expect(Temporal.Instant.compare(start as Temporal.Instant, end as Temporal.Instant)).not.toBe(1);
        expect(Temporal.Instant.compare(end as Temporal.Instant, midnight)).toBe(-1);
        expect(z.array(utterance).parse(transcript)).toEqual(transcript);
        for (const text of [summary, ...transcript.map((line) => line.text)])
          expect(text).toMatch(/^(?!.*( ,| {2}|undefined))[^{}]{4,}$/);
      }
    });

    it('is called by its customers, and by strangers who are none', () => {
      const own = new Set(demoCustomers(business).map(({ phone }) => e164Of(business, phone)));
      expect(own.size).toBe(CUSTOMERS_PER_BUSINESS);
      const { line, strangers } = business.phone;
      for (const number of [line, ...strangers]) {
        expect([e164Of(business, number), own.has(number)]).toEqual([number, false]);
      }
    });

    it('has fifty customers, no two with one name or number', () => {
      const customers = demoCustomers(business);
      expect(customers).toHaveLength(CUSTOMERS_PER_BUSINESS);
      expect(new Set(customers.map(({ name }) => name)).size).toBe(CUSTOMERS_PER_BUSINESS);
      expect(new Set(customers.map(({ phone }) => phone)).size).toBe(CUSTOMERS_PER_BUSINESS);
    });

    it('has a past of every outcome and appointments to come', () => {
      const plan = planAppointments(business, today);
      const past = plan.filter(({ date }) => date < today.toString());
      expect(new Set(past.map(({ status }) => status))).toEqual(
        new Set(['completed', 'cancelled', 'no_show']),
      );
      expect(plan.some(({ date, status }) => date > today.toString() && status === 'scheduled')).toBe(true);
    });

    it('plans each appointment within its staff member’s hours and apart from all others, on no day that is closed, whatever the day', () => {
      const day = fc.integer({ min: 0, max: 3_650 }).map((days) => today.add({ days }));
      fc.assert(
        fc.property(day, (start) => {
          const taken = new Map<string, { from: string; to: string }[]>();
          for (const planned of planAppointments(business, start)) {
            const span = spanOf(business, planned);
            expect(isClosed(business, planned)).toBe(false);
            expect(
              hoursOf(business, planned).some(({ start, end }) => start <= span.from && span.to <= end),
            ).toBe(true);
            const key = `${planned.staff} ${planned.date}`;
            const others = taken.get(key) ?? [];
            expect(others.every(({ from, to }) => to <= span.from || span.to <= from)).toBe(true);
            taken.set(key, [...others, span]);
          }
        }),
        { numRuns: 20 },
      );
    });
  },
);

const e164Of = ({ tenant }: DemoBusiness, text: string) => parsePhone(text, tenant.country)?.e164;

type Planned = ReturnType<typeof planAppointments>[number];

function hoursOf(business: DemoBusiness, { staff, date }: Planned) {
  const member = business.document.staff.find(({ name }) => name === staff);
  const weekday = WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1];
  return (weekday && member?.hours?.[weekday]) ?? [];
}

function isClosed({ document }: DemoBusiness, { date, time }: Planned): boolean {
  const start = `${date}T${time}`;
  return (
    (document.exceptions ?? []).some((exception) => exception.date === date) ||
    (document.time_off ?? []).some((off) => off.start <= start && start < off.end)
  );
}

function spanOf(business: DemoBusiness, { service, time }: Planned): { from: string; to: string } {
  const minutes = business.document.services.find(({ name }) => name === service)?.duration_minutes ?? 0;
  const to = Temporal.PlainTime.from(time).add({ minutes });
  return { from: time, to: to.toString({ smallestUnit: 'minute' }) };
}
