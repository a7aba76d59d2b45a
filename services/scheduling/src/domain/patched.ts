/** Some of a record's fields; `undefined` says nothing about one. */
export type Patch<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/** The record with what the patch says of it. */
export function patched<Fields extends object>(record: Fields, patch: Patch<Fields>): Fields {
  const said = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...record, ...Object.fromEntries(said) };
}
