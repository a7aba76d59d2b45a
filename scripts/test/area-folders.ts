/**
 * Folders of tests that run only in an area of `npm run test:all`, which sets the variable. Jest's configuration leaves them out
 * without it, and who names one of them is told so.
 */
const AREA_FOLDERS = [
  { folder: 'scripts/release', area: 'compatibility', variable: 'OASDIFF' },
  { folder: 'tests/compatibility', area: 'compatibility', variable: 'RELEASE_0_1_0' },
  { folder: 'tests/client', area: 'client', variable: 'CLIENT_NODE_18' },
  { folder: 'tests/compose', area: 'compose', variable: 'FRONTDESK_E2E_URL' },
  { folder: 'tests/observability/with-prometheus', area: 'observability', variable: 'PROMETHEUS' },
  { folder: 'tests/schemathesis', area: 'schemathesis', variable: 'SCHEMATHESIS' },
] as const;

const leftOut = (env: NodeJS.ProcessEnv) => AREA_FOLDERS.filter(({ variable }) => !env[variable]);

/** For jest's `testPathIgnorePatterns`. */
export const leftOutPatterns = (env: NodeJS.ProcessEnv): string[] =>
  leftOut(env).map(({ folder }) => `/${folder}/`);

/** What to run instead, where one of jest's arguments is a path that is left out; null where none is. */
export function leftOutHint(args: readonly string[], env: NodeJS.ProcessEnv): string | null {
  for (const path of args) {
    const found = leftOut(env).find(({ folder }) => `/${path}/`.includes(`/${folder}/`));
    if (found) return `${path} is left out here: npm run test:all -- ${found.area} runs it.`;
  }
  return null;
}
