import type { z } from 'zod';
import type { Scope } from '../access/scopes.ts';
import { pathId } from '../fields/fields.ts';

/** What a service and those who call it agree on. The service registers it, and its clients ask, by this one declaration. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  path: string;
  /** Of the path, where they are more than an `{id}`. */
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** That of a success; without it 200. */
  status?: 200 | 201 | 202;
  /** A second one, with the same answer. */
  otherStatus?: { status: 200 };
  /** The whole envelope. */
  answer: z.ZodType;
  /** What a key, or a person on the pages, needs for it; null: nothing beyond belonging to the business. */
  scope?: Scope | null;
  /** Public name of the records behind the path: "Appointment" makes "Appointment not found." of an id that can't be. */
  record?: string;
}

/** The names between the braces of a path. */
export type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never;

/** The path with these parameters. */
export const pathTo = <const Declared extends Pick<Route, 'path'>>(
  { path }: Declared,
  params: Readonly<Record<ParamsIn<Declared['path']>, string | number>>,
): string =>
  path.replaceAll(/\{(\w+)\}/g, (_braces, name: ParamsIn<Declared['path']>) =>
    encodeURIComponent(params[name]),
  );

/** A path as routers write it, with a colon before each parameter. */
export const patternOf = ({ path }: Pick<Route, 'path'>): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** What the `{id}` of a path is read by; other parameters stay beside it. */
export const idInPath = pathId.loose();
