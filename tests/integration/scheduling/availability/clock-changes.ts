import { hhmm } from '../wall-clock.ts';

/** Every quarter of an hour, `H:i`. */
export const QUARTERS = Array.from({ length: 96 }, (_, index) => hhmm(index * 15));

export interface ClockChange {
  timezone: string;
  date: string;
  /** Quarters of an hour that no clock shows that day. */
  skipped: string[];
  /** Quarters that clocks show twice, and the offset of the first pass. */
  repeated: string[];
  firstOffset?: string;
  /** A visit of an hour across the change: its wall time on `visitDate`, else on the date, its start and its end. */
  visitDate?: string;
  visit: [time: string, startsAt: string, endsAt: string];
}

export const CHANGES: ClockChange[] = [
  {
    timezone: 'Europe/Berlin',
    date: '2031-03-30',
    repeated: [],
    skipped: ['02:00', '02:15', '02:30', '02:45'],
    visit: ['01:30', '2031-03-30T01:30:00+01:00', '2031-03-30T03:30:00+02:00'],
  },
  {
    timezone: 'Europe/Berlin',
    date: '2031-10-26',
    skipped: [],
    repeated: ['02:00', '02:15', '02:30', '02:45'],
    firstOffset: '+02:00',
    visit: ['02:30', '2031-10-26T02:30:00+02:00', '2031-10-26T02:30:00+01:00'],
  },
  {
    timezone: 'America/New_York',
    date: '2031-03-09',
    repeated: [],
    skipped: ['02:00', '02:15', '02:30', '02:45'],
    visit: ['01:45', '2031-03-09T01:45:00-05:00', '2031-03-09T03:45:00-04:00'],
  },
  {
    timezone: 'America/New_York',
    date: '2031-11-02',
    skipped: [],
    repeated: ['01:00', '01:15', '01:30', '01:45'],
    firstOffset: '-04:00',
    visit: ['01:45', '2031-11-02T01:45:00-04:00', '2031-11-02T01:45:00-05:00'],
  },
  {
    timezone: 'Asia/Kolkata',
    date: '2031-03-30',
    skipped: [],
    repeated: [],
    visit: ['01:30', '2031-03-30T01:30:00+05:30', '2031-03-30T02:30:00+05:30'],
  },
  {
    timezone: 'Australia/Lord_Howe',
    date: '2031-10-05',
    skipped: ['02:00', '02:15'],
    repeated: [],
    visit: ['01:30', '2031-10-05T01:30:00+10:30', '2031-10-05T03:00:00+11:00'],
  },
  {
    timezone: 'Australia/Lord_Howe',
    date: '2031-04-06',
    skipped: [],
    repeated: ['01:30', '01:45'],
    firstOffset: '+11:00',
    visit: ['01:30', '2031-04-06T01:30:00+11:00', '2031-04-06T02:00:00+10:30'],
  },
  {
    timezone: 'Pacific/Chatham',
    date: '2031-09-28',
    repeated: [],
    skipped: ['02:45', '03:00', '03:15', '03:30'],
    visit: ['02:30', '2031-09-28T02:30:00+12:45', '2031-09-28T04:30:00+13:45'],
  },
  {
    timezone: 'Pacific/Chatham',
    date: '2031-04-06',
    skipped: [],
    repeated: ['02:45', '03:00', '03:15', '03:30'],
    firstOffset: '+13:45',
    visit: ['03:15', '2031-04-06T03:15:00+13:45', '2031-04-06T03:15:00+12:45'],
  },
  {
    timezone: 'America/Sao_Paulo',
    date: '2017-10-15',
    repeated: [],
    skipped: ['00:00', '00:15', '00:30', '00:45'],
    visitDate: '2017-10-14',
    visit: ['23:30', '2017-10-14T23:30:00-03:00', '2017-10-15T01:30:00-02:00'],
  },
  {
    timezone: 'America/Sao_Paulo',
    date: '2018-02-17',
    skipped: [],
    repeated: ['23:00', '23:15', '23:30', '23:45'],
    firstOffset: '-02:00',
    visit: ['23:30', '2018-02-17T23:30:00-02:00', '2018-02-17T23:30:00-03:00'],
  },
  {
    timezone: 'America/Sao_Paulo',
    date: '2018-11-04',
    repeated: [],
    skipped: ['00:00', '00:15', '00:30', '00:45'],
    visitDate: '2018-11-03',
    visit: ['23:45', '2018-11-03T23:45:00-03:00', '2018-11-04T01:45:00-02:00'],
  },
  {
    // Morocco's clocks go back for Ramadan, and forward after it.
    timezone: 'Africa/Casablanca',
    date: '2025-02-23',
    skipped: [],
    repeated: ['02:00', '02:15', '02:30', '02:45'],
    firstOffset: '+01:00',
    visit: ['02:15', '2025-02-23T02:15:00+01:00', '2025-02-23T02:15:00+00:00'],
  },
  {
    timezone: 'Africa/Casablanca',
    date: '2025-04-06',
    repeated: [],
    skipped: ['02:00', '02:15', '02:30', '02:45'],
    visit: ['01:15', '2025-04-06T01:15:00+00:00', '2025-04-06T03:15:00+01:00'],
  },
  {
    // The day that Samoa left out when it crossed the date line.
    timezone: 'Pacific/Apia',
    date: '2011-12-30',
    skipped: QUARTERS,
    repeated: [],
    visitDate: '2011-12-29',
    visit: ['23:30', '2011-12-29T23:30:00-10:00', '2011-12-31T00:30:00+14:00'],
  },
];
