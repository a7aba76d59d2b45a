import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEAT_EVERY_MS, COME_AGAIN_MS } from './live-streams.ts';

const SCRIPT = join(import.meta.dirname, '../../public/scripts/live.js');

it('a page that misses one beat, or reconnects, is not called out of date', () => {
  const silentMs = /^const SILENT_MS = ([\d_]+);$/m.exec(readFileSync(SCRIPT, 'utf8'))?.[1];
  expect(Number(silentMs?.replace('_', ''))).toBeGreaterThan(2 * Math.max(BEAT_EVERY_MS, COME_AGAIN_MS));
});
