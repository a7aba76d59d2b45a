import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { NODE_FLAGS, PRELOADED } from './node-settings.ts';

/** Ends a compilation that hangs. On a slow machine one takes minutes. */
const WARM_UP_TIMEOUT_MS = 300_000;

/**
 * Node's cache of stripped and compiled sources. A service that finds its own in there starts faster and, never having
 * loaded the TypeScript parser, holds less memory. Before the first start it is filled by loading every service once, with
 * the flags and the preloaded module that they run with: V8 keeps a cache for each set of flags.
 */
export async function ensureCompileCache(options: {
  directory: string;
  repository: string;
  services: readonly string[];
  signal: AbortSignal;
}): Promise<void> {
  const { directory, repository, services, signal } = options;
  if (existsSync(directory)) return;
  const modules = services.map(
    (name) => pathToFileURL(join(repository, 'services', name, 'src/main.ts')).href,
  );
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join('\n');
  const flags = [...NODE_FLAGS, '--import', PRELOADED, '--input-type=module', '--eval', imports];
  await promisify(execFile)(process.execPath, [...flags, '--', '--load-only'], {
    env: { ...process.env, NODE_COMPILE_CACHE: directory },
    timeout: WARM_UP_TIMEOUT_MS,
    signal,
  });
}
