import type { FieldFaults, Scope } from '@frontdesk/contracts';
import type { Clash } from '../forms/merged-form.rules.ts';
import type { FormValues } from '../forms/sent-form.rules.ts';
import type { doneOf } from './notices.rules.ts';

/** What every page needs beside its own content. */
export interface PageContext {
  /** The address of a file from `public/`, which changes with what is in it. */
  asset: (name: string) => string;
  /** Who is signed in. */
  email: string | null;
  /** Of the business that is open; null where nobody is signed in, or its name is unknown right now. */
  businessName: string | null;
  /** Whether who is signed in belongs to other businesses too. */
  hasOtherBusinesses: boolean;
  /** What they may do in the business that is open. */
  scopes: readonly Scope[];
  /** Goes into every form. */
  csrfToken: string;
  /** Goes into those that are taken once; another one for each page, and the same for all of a stream. */
  formToken: string;
  /** The business is suspended, so nothing can be changed. */
  isSuspended: boolean;
  /** What has just been done, said once. */
  notice: string | null;
  /** What that was, and to which record. */
  done?: ReturnType<typeof doneOf>;
}

/** A form as it was sent, with what is wrong about it. */
export interface FormState {
  values: FormValues;
  faults: FieldFaults;
  /** What is wrong with all of it. */
  message: string | null;
  /** What somebody else has changed too, by field: people choose. */
  clashes?: Readonly<Record<string, Clash>>;
}

export const EMPTY_FORM: FormState = { values: {}, faults: {}, message: null };

/** Whether somebody has sent it: then it is shown as sent. */
export const isSent = ({ values }: FormState): boolean => Object.keys(values).length > 0;

/** The one value of a field. */
export const textOf = (form: FormState, name: string): string => [form.values[name] ?? ''].flat()[0] ?? '';
export const textsOf = (form: FormState, name: string): string[] => [form.values[name] ?? []].flat();
