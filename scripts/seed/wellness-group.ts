import { english } from './calls/english.ts';
import { type DemoBusiness, documentOf, everyYear, on } from './demo-business.ts';

const physio = ['Initial physiotherapy assessment', 'Physiotherapy follow-up', 'Dry needling'];
const massage = ['Remedial massage 60', 'Remedial massage 90', 'Express back massage'];
const studio = ['Clinical pilates', 'Yoga, private class'];
const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;

/** Name, specialties, services and hours of each of the team. */
const team = [
  ['Olivia Chen', ['Sports injuries'], physio, on(workdays, '7-11,12-15')],
  ['Liam Walsh', ['Spine', 'Headaches'], physio, on(workdays, '9-13,14-18')],
  [
    'Anjali Mehta',
    ['Women’s health'],
    [...physio, 'Clinical pilates'],
    on(['monday', 'wednesday', 'friday'], '8-12:30,13-16'),
  ],
  ['Noah Papadopoulos', ['Hands'], physio, on(['tuesday', 'thursday', 'saturday'], '8-13')],
  [
    'Chloe Nguyen',
    ['Deep tissue'],
    massage,
    on(['monday', 'tuesday', 'wednesday', 'thursday'], '10-14,15-19'),
  ],
  [
    'Jack Morrison',
    ['Deep tissue', 'Trigger points'],
    massage,
    on(['thursday', 'friday', 'saturday', 'sunday'], '9-13,13:30-17'),
  ],
  ['Mia Rossi', ['Pregnancy massage'], massage, on(['tuesday', 'friday'], '12-20')],
  ['Ethan Kelly', ['Reformer'], studio, on(workdays, '6-10,16-19')],
  [
    'Zara Haddad',
    ['Yoga', 'Breathing'],
    studio,
    { ...on(['monday', 'thursday'], '6-9,17-20'), ...on(['sunday'], '8-12') },
  ],
] as const;

export const wellnessGroup: DemoBusiness = {
  tenant: {
    name: 'Southern Cross Wellness & Physiotherapy',
    plan: 'enterprise',
    timezone: 'Australia/Sydney',
    country: 'AU',
    currency: 'AUD',
  },
  adminEmail: 'admin@southerncross.example',
  seed: 61,
  bookingPolicy: 'open',
  document: documentOf({
    hours: {},
    time_off: [...everyYear('01-26', '01-26', 'Australia Day'), ...everyYear('12-25', '12-26', 'Christmas')],
    services: [
      { name: 'Initial physiotherapy assessment', description: null, duration_minutes: 60, price: 135 },
      { name: 'Physiotherapy follow-up', description: null, duration_minutes: 30, price: 98 },
      { name: 'Dry needling', description: null, duration_minutes: 45, price: 105.5 },
      {
        name: 'Remedial massage 60',
        description: 'One hour',
        duration_minutes: 60,
        buffer_after_minutes: 10,
        price: 115,
      },
      {
        name: 'Remedial massage 90',
        description: 'Ninety minutes',
        duration_minutes: 90,
        buffer_after_minutes: 10,
        price: 160,
      },
      { name: 'Express back massage', description: null, duration_minutes: 15, price: 45 },
      { name: 'Clinical pilates', description: 'One to one', duration_minutes: 60, price: 120 },
      { name: 'Yoga, private class', description: null, duration_minutes: 75, price: 140 },
    ],
    staff: team.map(([name, specialties, services, hours]) => ({
      name,
      specialties: [...specialties],
      services: [...services],
      hours,
    })),
  }),
  phone: { language: english, line: '+61255509000', strangers: ['+61255509517', '+61270109244'] },
  people: {
    firstNames: (
      'Charlotte Oliver Amelia William Isla Thomas Ava Henry Grace Lucas Matilda Alexander Zoe Cooper ' +
      'Siobhan Raj Mei Tane Renée Angus'
    ).split(' '),
    lastNames: (
      'Smith Jones Williams Brown Wilson Taylor Nguyen Johnson Martin White Anderson Walker Thompson Lee ' +
      'Singh Kelly Patel McDonald Kovač Zhang'
    ).split(' '),
    // (02) 5550 and (02) 7010 are set aside by the ACMA for fiction.
    phone: (n) => (n % 2 === 0 ? `(02) 5550 ${1000 + n * 37}` : `+61 2 7010 ${1000 + n * 37}`),
  },
};
