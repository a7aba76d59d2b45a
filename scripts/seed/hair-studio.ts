import { german } from './calls/german.ts';
import { type DemoBusiness, documentOf, everyYear, on } from './demo-business.ts';

const cuts = ['Haarschnitt Damen', 'Haarschnitt Herren', 'Bart trimmen', 'Föhnen & Styling'];
const colours = ['Farbe & Schnitt', 'Strähnen', 'Glossing'];
const tuesdayToFriday = ['tuesday', 'wednesday', 'thursday', 'friday'] as const;

export const hairStudio: DemoBusiness = {
  tenant: {
    name: 'Haarstudio Lindenhof',
    plan: 'starter',
    timezone: 'Europe/Berlin',
    country: 'DE',
    currency: 'EUR',
  },
  adminEmail: 'admin@lindenhof.example',
  seed: 49,
  bookingPolicy: 'slots_only',
  document: documentOf({
    hours: {},
    exceptions: [
      { date: '2026-10-31', hours: [], note: 'Fortbildung' },
      { date: '2026-12-23', hours: [{ start: '09:00', end: '13:00' }], note: 'Kurzer Tag vor dem Fest' },
    ],
    time_off: everyYear('12-24', '12-31', 'Betriebsferien'),
    services: [
      {
        name: 'Haarschnitt Damen',
        description: 'Waschen, schneiden, föhnen',
        duration_minutes: 60,
        price: 54,
      },
      { name: 'Haarschnitt Herren', description: 'Waschen und schneiden', duration_minutes: 30, price: 32 },
      { name: 'Bart trimmen', description: null, duration_minutes: 15, price: 14.5 },
      { name: 'Föhnen & Styling', description: null, duration_minutes: 45, price: 36 },
      {
        name: 'Farbe & Schnitt',
        description: 'Mit Beratung',
        duration_minutes: 120,
        buffer_after_minutes: 15,
        price: 128,
      },
      { name: 'Strähnen', description: null, duration_minutes: 105, buffer_after_minutes: 10, price: 109.9 },
      { name: 'Glossing', description: 'Glanz ohne Ammoniak', duration_minutes: 30, price: 29 },
    ],
    staff: [
      {
        name: 'Katrin Lindner',
        specialties: ['Farbe', 'Balayage'],
        services: [...cuts, ...colours],
        hours: { ...on(tuesdayToFriday, '9-13,14-18'), ...on(['saturday'], '9-14') },
      },
      {
        name: 'Emre Aydın',
        specialties: ['Herrenschnitt', 'Bart'],
        services: cuts,
        hours: { ...on(tuesdayToFriday, '10-14,14:30-19'), ...on(['saturday'], '9-15') },
      },
      {
        name: 'Sophie Brandt',
        specialties: ['Hochsteckfrisuren'],
        services: [...cuts, 'Glossing'],
        hours: { ...on(['wednesday', 'thursday'], '12-20'), ...on(['friday', 'saturday'], '9-12,12:45-16') },
      },
    ],
  }),
  phone: { language: german, line: '+493023125900', strangers: ['+493023125811', '+493023125837'] },
  people: {
    firstNames: (
      'Anna Lukas Marie Jonas Lea Paul Hannah Felix Clara Maximilian Greta Jürgen Sabine Björn Ayşe ' +
      'Friederike Matthias Nele Søren Ursula'
    ).split(' '),
    lastNames: (
      'Müller Schmidt Schneider Fischer Weber Wagner Becker Hoffmann Schäfer Koch Richter Klein Wolf ' +
      'Schröder Neumann Krüger Weiß Yılmaz Lehmann Köhler'
    ).split(' '),
    // Berlin numbers that the Bundesnetzagentur keeps for film and television: (0)30 23125 000–999.
    phone: (n) => (n % 3 === 0 ? `+49 30 23125 ${100 + n * 7}` : `030 23125 ${100 + n * 7}`),
  },
};
