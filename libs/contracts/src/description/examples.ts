import type { z } from 'zod';
import type { Appointment } from '../resources/appointments.ts';
import type { BusinessRecord } from '../resources/business/business-record.ts';
import type { Call } from '../resources/calls/calls.ts';
import type { Customer } from '../resources/customers.ts';
import type { Hold } from '../resources/holds.ts';
import type { Service } from '../resources/services.ts';
import type { Slot } from '../resources/slots.ts';
import type { staffSchema } from '../resources/staff.ts';
import type { WebhookRecord, webhookDeliverySchema } from '../resources/webhook-records.ts';

/** One record of each kind, as documentation shows it. They belong together: Mia calls and books a haircut with Anna. */
const at = '2026-03-02T09:00:00Z';

const appointment: Appointment = {
  id: 5,
  customer_id: 11,
  service_id: 2,
  staff_id: 3,
  appointment_date: '2026-03-09',
  appointment_time: '10:00',
  end_time: '10:45',
  duration_minutes: 45,
  timezone: 'Europe/Berlin',
  starts_at: '2026-03-09T10:00:00+01:00',
  ends_at: '2026-03-09T10:45:00+01:00',
  status: 'scheduled',
  notes: null,
  source: 'api',
  price: 45.5,
  currency: 'EUR',
  created_at: at,
  updated_at: at,
  cancelled_at: null,
};

/** It becomes the appointment. */
const hold: Hold = {
  id: appointment.id,
  service_id: 2,
  staff_id: 3,
  appointment_date: '2026-03-09',
  appointment_time: '10:00',
  end_time: '10:45',
  duration_minutes: 45,
  timezone: 'Europe/Berlin',
  starts_at: '2026-03-09T10:00:00+01:00',
  ends_at: '2026-03-09T10:45:00+01:00',
  price: 45.5,
  currency: 'EUR',
  status: 'open',
  expires_at: '2026-03-02T09:03:00Z',
};

const customer: Customer = {
  id: 11,
  name: 'Mia Wong',
  phone: '+4930901820',
  email: 'mia@example.com',
  segment: 'active',
  pipeline_stage: null,
  notes: null,
  source: 'api',
  created_at: at,
  updated_at: at,
  total_appointments: 4,
  total_spent: 182,
  currency: 'EUR',
  last_visit_date: '2026-02-09',
};

const call: Call = {
  id: 8,
  customer_id: 11,
  direction: 'inbound',
  from_number: '+4930901820',
  to_number: '+4930901821',
  started_at: '2026-03-02T08:57:10Z',
  ended_at: at,
  duration: 170,
  missed: false,
  sentiment: 'positive',
  quality_score: 92,
  outcome: 'booked',
  source: 'Reception',
  summary: 'Mia booked a haircut with Anna.',
  transcript: [
    { role: 'agent', text: 'Good morning, how can I help?', start: 0, end: 2.4 },
    { role: 'customer', text: 'I would like a haircut next Monday.', start: 2.9, end: 5.1 },
  ],
  transcript_truncated: false,
  recording_url: 'https://recordings.example.com/8.mp3',
  sentiment_source: 'provider',
  provider: 'vapi',
  provider_call_id: '7420f27a-30fd-4f49-a995-5549ae7cc00d',
  appointment_id: 5,
  created_at: at,
  updated_at: at,
};

const service: Service = {
  id: 2,
  name: 'Haircut',
  description: 'Washing, cutting, drying.',
  duration_minutes: 45,
  price: 45.5,
  currency: 'EUR',
};

const staff: z.infer<typeof staffSchema> = {
  id: 3,
  name: 'Anna',
  specialties: ['Cuts'],
  timezone: 'Europe/Berlin',
  next_available_slot: { date: '2026-03-03', time: '09:15', starts_at: '2026-03-03T09:15:00+01:00' },
  working_hours: {
    monday: [
      { start: '09:00', end: '13:00' },
      { start: '14:00', end: '18:00' },
    ],
    tuesday: [{ start: '09:00', end: '18:00' }],
    wednesday: [],
    thursday: [{ start: '09:00', end: '18:00' }],
    friday: [{ start: '09:00', end: '18:00' }],
    saturday: [],
    sunday: [],
  },
  upcoming_appointments: [{ date: '2026-03-09', time: '10:00' }],
};

const slot: Slot = {
  date: '2026-03-09',
  time: '10:00',
  end_time: '10:45',
  starts_at: '2026-03-09T10:00:00+01:00',
  ends_at: '2026-03-09T10:45:00+01:00',
  staff_id: 3,
  staff_ids: [3, 4],
};

const business: BusinessRecord = {
  id: 1,
  name: 'Salon Wong',
  timezone: 'Europe/Berlin',
  country: 'DE',
  currency: 'EUR',
  opening_hours: {
    monday: [{ start: '09:00', end: '18:00' }],
    tuesday: [{ start: '09:00', end: '18:00' }],
    wednesday: [],
    thursday: [{ start: '09:00', end: '18:00' }],
    friday: [{ start: '09:00', end: '18:00' }],
    saturday: [],
    sunday: [],
  },
  exceptions: [
    { date: '2026-04-02', hours: [{ start: '09:00', end: '13:00' }] },
    { date: '2026-04-03', hours: [] },
  ],
  booking_policy: 'open',
  plan: 'pro',
  rate_limits: { per_minute: 100, per_day: 20_000 },
};

const webhook: WebhookRecord = {
  id: 6,
  url: 'https://hooks.example.com/frontdesk',
  events: ['appointment.created', 'appointment.cancelled'],
  scopes: ['appointments:read', 'customers:read'],
  headers: ['x-environment'],
  is_active: true,
  state: 'active',
  disabled_reason: null,
  last_success_at: at,
  last_failure_at: null,
  last_failure: null,
  failing_since: null,
  secret_last_four: 'M0k=',
  previous_secret_until: null,
  created_at: at,
  updated_at: at,
};

const delivery: z.infer<typeof webhookDeliverySchema> = {
  id: 205140000000017,
  endpoint_id: webhook.id,
  event: 'appointment.created',
  payload: {
    id: 'evt_0b0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11',
    event: 'appointment.created',
    created_at: at,
    sequence: 1,
    data: appointment,
  },
  status: 'delivered',
  http_status: 204,
  duration_ms: 84,
  response_body: '',
  attempt_count: 1,
  next_attempt_at: null,
  delivered_at: at,
  created_at: at,
  feed_cursor: null,
  attempts: [
    {
      attempt: 1,
      started_at: at,
      duration_ms: 84,
      http_status: 204,
      error_class: null,
      response_body: '',
      request_headers: {
        'x-environment': '[hidden]',
        'content-type': 'application/json',
        'webhook-id': 'evt_0b0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11',
      },
      response_headers: { date: 'Mon, 02 Mar 2026 09:00:00 GMT' },
    },
  ],
};

export const EXAMPLES = {
  appointment,
  hold,
  customer,
  call,
  service,
  staff,
  slot,
  business,
  webhook,
  delivery,
};
