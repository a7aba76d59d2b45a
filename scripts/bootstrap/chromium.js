import { commandPath } from './commands.js';

/** The shell first: without a browser's own windows it takes half the CPU. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/**
 * The browser that the tests drive: CHROMIUM_PATH's, else the system's.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function chromiumPath(env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  return COMMANDS.map((command) => commandPath(command, env)).find((path) => path !== undefined);
}

/**
 * What the tests of pages lack.
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('../../libs/local-stack/src/requirements.js').Missing[]}
 */
export function missingForBrowser(env) {
  if (chromiumPath(env)) return [];
  const cure =
    'apt-get install chromium (macOS: brew install --cask chromium), or set CHROMIUM_PATH to a Chrome';
  return [
    {
      sentence: `Chromium, which the tests of pages drive, is missing: ${cure}.`,
      packages: ['chromium-headless-shell', 'chromium'],
    },
  ];
}
