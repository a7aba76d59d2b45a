import { english } from './calls/english.ts';
import { type DemoBusiness, documentOf, everyYear, on } from './demo-business.ts';

const dentistry = ['New patient exam', 'Filling', 'Crown preparation', 'Root canal', 'Emergency visit'];
const hygiene = ['Cleaning', 'Whitening', 'Follow-up'];

export const dentalPractice: DemoBusiness = {
  tenant: {
    name: 'Harbor Street Dental',
    plan: 'pro',
    timezone: 'America/New_York',
    country: 'US',
    currency: 'USD',
  },
  adminEmail: 'admin@harborstreet.example',
  seed: 212,
  bookingPolicy: 'open',
  document: documentOf({
    hours: {},
    exceptions: [
      { date: '2026-11-27', hours: [{ start: '09:00', end: '13:00' }], note: 'Day after Thanksgiving' },
    ],
    time_off: [
      ...everyYear('07-04', '07-04', 'Independence Day'),
      ...everyYear('12-25', '12-25', 'Christmas'),
    ],
    services: [
      { name: 'New patient exam', description: 'Exam and X-rays', duration_minutes: 60, price: 145 },
      { name: 'Cleaning', description: 'Scaling and polish', duration_minutes: 45, price: 110 },
      { name: 'Filling', description: 'One surface', duration_minutes: 60, price: 195 },
      {
        name: 'Crown preparation',
        description: null,
        duration_minutes: 90,
        buffer_after_minutes: 15,
        price: 980,
      },
      { name: 'Root canal', description: null, duration_minutes: 120, buffer_after_minutes: 15, price: 1150 },
      { name: 'Whitening', description: 'In-office', duration_minutes: 75, price: 349.5 },
      { name: 'Emergency visit', description: 'Same-day pain relief', duration_minutes: 30, price: 125 },
      { name: 'Follow-up', description: null, duration_minutes: 15, price: 0 },
    ],
    staff: [
      {
        name: 'Dr. Elena Marsh',
        specialties: ['Restorative dentistry', 'Endodontics'],
        services: [...dentistry, 'Follow-up'],
        hours: on(['monday', 'tuesday', 'wednesday', 'thursday'], '8-12,13-17'),
      },
      {
        name: 'Dr. Samuel Okafor',
        specialties: ['Family dentistry'],
        services: [...dentistry, ...hygiene],
        hours: {
          ...on(['tuesday', 'wednesday'], '9-13,13:45-18'),
          ...on(['thursday', 'friday'], '8-12,12:30-16'),
        },
      },
      {
        name: 'Priya Raman, RDH',
        specialties: ['Hygiene', 'Whitening'],
        services: hygiene,
        hours: on(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], '8-11:30,12:30-16:30'),
      },
      {
        name: 'Michael Torres, RDH',
        specialties: ['Hygiene', 'Children'],
        services: hygiene,
        hours: { ...on(['wednesday', 'thursday', 'friday'], '10-14,15-19'), ...on(['saturday'], '9-13') },
      },
    ],
  }),
  phone: { language: english, line: '+12125550199', strangers: ['+17185550133', '+16465550171'] },
  people: {
    firstNames: (
      'James Maria Robert Linda Michael Patricia David Jennifer Daniel Susan Anthony Jessica Kevin Sarah ' +
      'José Karen Brian Nancy Wei Latoya'
    ).split(' '),
    lastNames: (
      "Smith Johnson Williams Brown Garcia Miller Davis Rodriguez O'Brien Martinez Hernandez Lopez Wilson " +
      'Anderson Thomas Nguyen Moore Jackson Lee Núñez'
    ).split(' '),
    // 555-0100 to 555-0199 are kept for fiction in every area code.
    phone: (n) => `(${['212', '646', '718', '917', '347'][n % 5]}) 555-01${String(n * 2).padStart(2, '0')}`,
  },
};
