const MINUTES = { minutes: 1, hours: 60, days: 1_440 } as const;

export type NoticeUnit = keyof typeof MINUTES;

/** Minutes in the largest unit without a remainder. */
export function noticeOf(minutes: number): { amount: number; unit: NoticeUnit } {
  const unit =
    minutes === 0 ? 'hours' : minutes % 1_440 === 0 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes';
  return { amount: minutes / MINUTES[unit], unit };
}

/** What was typed, in minutes; what is no number stays as it is. */
export const noticeMinutes = (amount: unknown, unit: string | undefined): unknown =>
  typeof amount === 'number' ? amount * (isUnit(unit) ? MINUTES[unit] : 1) : amount;

const isUnit = (unit: string | undefined): unit is NoticeUnit =>
  unit !== undefined && Object.hasOwn(MINUTES, unit);
