import type { DemoTenant } from '../seed/index.ts';
import { readJson, writeJson } from './json-file.ts';

/** What a demo holds, as `.local/demo.json` shows it to people and tests that use the running system. */
export interface Demo {
  gateway_url: string;
  settings_url: string;
  tenants: DemoTenant[];
}

export const readDemo = (path: string) => readJson<Demo>(path);

/** It holds API keys, hence only its owner may read it. */
export const writeDemo = (path: string, demo: Demo) => writeJson(path, demo, { mode: 0o600 });
