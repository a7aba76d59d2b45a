import {
  dateField,
  type FieldErrors,
  type TimeOff,
  type TimeOffRecord,
  timeField,
} from '@frontdesk/contracts';
import { addDays } from './dates.rules.ts';
import { TIME_FAULT } from './read-time.rules.ts';

const START_OF_DAY = '00:00';
/** As people say when a day ends. */
const END_OF_DAY = '24:00';

export interface TimeOffDays {
  /** Days and times as people say them: both days included, a time only where the day isn't a whole one. */
  first: { date: string; time: string | null };
  last: { date: string; time: string | null };
}

/** Stored as from when until when; an end at 00:00 closes the day before. */
export function daysOfTimeOff({ start, end }: Pick<TimeOffRecord, 'start' | 'end'>): TimeOffDays {
  const [firstDate = '', firstTime = ''] = start.split('T');
  const [lastDate = '', lastTime = ''] = end.split('T');
  return {
    first: { date: firstDate, time: firstTime === START_OF_DAY ? null : firstTime },
    last:
      lastTime === START_OF_DAY
        ? { date: addDays(lastDate, -1), time: null }
        : { date: lastDate, time: lastTime },
  };
}

export interface TimeOffForm {
  first_day: string;
  first_time: string;
  last_day: string;
  last_time: string;
  note: string | null;
}

const isDate = (text: string) => dateField.safeParse(text).success;
const isTimeOrNone = (text: string) => text === '' || timeField.safeParse(text).success;

export function timeOffErrors({ first_day, last_day, ...form }: TimeOffForm): FieldErrors {
  const message = ['Choose a date.'];
  const timeMessage = [TIME_FAULT];
  const errors = {
    ...(!isDate(first_day) && { first_day: message }),
    ...(last_day !== '' && !isDate(last_day) && { last_day: message }),
    ...(!isTimeOrNone(form.first_time) && { first_time: timeMessage }),
    ...(form.last_time !== END_OF_DAY && !isTimeOrNone(form.last_time) && { last_time: timeMessage }),
  };
  if (Object.keys(errors).length > 0) return errors;
  const { start, end } = timeOffOf({ first_day, last_day, ...form });
  return start < end ? {} : { last_day: ['Time off must end after it begins.'] };
}

/** Without a last day it is one day. */
export function timeOffOf({ first_day, first_time, last_day, last_time, note }: TimeOffForm): TimeOff {
  const last = last_day === '' ? first_day : last_day;
  return {
    start: `${first_day}T${first_time || START_OF_DAY}`,
    end:
      last_time && last_time !== END_OF_DAY ? `${last}T${last_time}` : `${addDays(last, 1)}T${START_OF_DAY}`,
    note,
  };
}
