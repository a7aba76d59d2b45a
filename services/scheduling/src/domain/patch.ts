/** Some of a record's fields; `undefined` says nothing about one. */
export type Patch<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** What the patch says something about. */
export const said = <Fields>(patch: Patch<Fields>): Partial<Fields> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<Fields>;
