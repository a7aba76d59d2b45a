import type { DemoTenant } from '../../seed/index.ts';
import { readJson, writeJson } from '../keys/json-file.ts';

/** What a demo holds, as `.local/demo.json` shows it to people and tests that use the running system. */
export interface Demo {
  gateway_url: string;
  settings_url: string;
  tenants: DemoTenant[];
}

const CURE =
  'delete it. The next start writes it anew: the demo businesses keep their records, get a new API key, password and secret for calls, and their hours, services and staff are set back to the demo’s';

export const readDemo = (path: string) => readJson<Demo>(path, CURE);

/** It holds API keys, hence only its owner may read it. */
export const writeDemo = (path: string, demo: Demo) => writeJson(path, demo, { mode: 0o600 });
