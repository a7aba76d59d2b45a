import type { Bookability, CalendarRecord } from '@frontdesk/contracts';

/** What a new business sets up, in order. */
const FIRST_STEPS = [
  'opening_hours',
  'service',
  'staff',
  'booking_policy',
  'appointment',
  'call_source',
  'colleague',
  'program',
] as const;

export type FirstStepName = (typeof FIRST_STEPS)[number];

/** Without these a business can't work with Frontdesk; the others it may not need, or have by default. */
const ESSENTIAL: ReadonlySet<FirstStepName> = new Set(['opening_hours', 'service', 'appointment']);

export interface FirstStep {
  step: FirstStepName;
  done: boolean;
  optional: boolean;
}

/** What the steps are judged by. */
export interface SetUp {
  bookability: Bookability;
  openingHours: CalendarRecord['hours'];
  hasAppointments: boolean;
  /** Null: their service couldn't say in time, or the member may not see them. Such a step is left out. */
  policyChosen: boolean | null;
  callSources: number | null;
  programs: number | null;
  admins: number | null;
}

/** The steps with what is done; null once the essential ones are, also of a business that was set up by a program. */
export function firstStepsOf(setUp: SetUp): FirstStep[] | null {
  const { services, staff } = setUp.bookability;
  const isOpen = Object.values(setUp.openingHours).some((spans) => spans.length > 0);
  const done: Record<FirstStepName, boolean | null> = {
    // Where staff have hours of their own, the business needs none.
    opening_hours: isOpen || services.some(({ obstacle }) => obstacle === null),
    service: services.some(({ obstacle }) => obstacle !== 'inactive'),
    staff: staff.some(({ obstacle }) => obstacle !== 'inactive'),
    booking_policy: setUp.policyChosen,
    appointment: setUp.hasAppointments,
    call_source: setUp.callSources === null ? null : setUp.callSources > 0,
    colleague: setUp.admins === null ? null : setUp.admins > 1,
    program: setUp.programs === null ? null : setUp.programs > 0,
  };
  const steps = FIRST_STEPS.flatMap((step): FirstStep[] => {
    const isDone = done[step];
    return isDone === null ? [] : [{ step, done: isDone, optional: !ESSENTIAL.has(step) }];
  });
  return steps.some((step) => !step.optional && !step.done) ? steps : null;
}
