/** Folders of tests that `npm test` leaves out, as jest.config.mjs says, with the area of `npm run test:all` that runs them. */
const AREAS: [folder: string, area: string][] = [
  ['scripts/release', 'compatibility'],
  ['tests/client', 'client'],
  ['tests/compose', 'compose'],
  ['tests/observability/with-prometheus', 'observability'],
  ['tests/schemathesis', 'schemathesis'],
];

/** What to run instead where one of the given paths is of an area, in a sentence; null where none is. */
export function areaHint(args: readonly string[]): string | null {
  for (const path of args)
    for (const [folder, area] of AREAS)
      if (new RegExp(`(^|/)${folder}(/|$)`).test(path))
        return `npm test leaves ${path} out: npm run test:all -- ${area} runs it.`;
  return null;
}
