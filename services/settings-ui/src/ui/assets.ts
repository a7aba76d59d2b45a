import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { LOOK_FILE } from '@frontdesk/reference';

const FOLDER = join(import.meta.dirname, '..', '..', 'public');
const HASH_CHARACTERS = 12;

/** In the order in which they build on each other. */
const STYLES = [
  LOOK_FILE,
  'styles/base.css',
  'styles/frame.css',
  'styles/controls.css',
  'styles/content.css',
  'styles/records.css',
  'styles/fields.css',
  'styles/staff-colors.css',
  'styles/business.css',
  'styles/hours.css',
  'styles/api.css',
  'styles/calendar.css',
  'styles/week-table.css',
  'styles/day-list.css',
  'styles/plan.css',
  'styles/plan-appointments.css',
  'styles/holds.css',
  'styles/appointment.css',
  'styles/booking.css',
  'styles/calls.css',
  'styles/customers.css',
  'styles/charts.css',
  'styles/statistics.css',
  'styles/today.css',
  'styles/search.css',
  'styles/side-panel.css',
  'styles/narrow.css',
  'styles/print.css',
];
const SCRIPTS = [
  'scripts/unsaved.js',
  'scripts/settings.js',
  'scripts/live.js',
  'scripts/preview.js',
  'scripts/booking.js',
  'scripts/calendar.js',
  'scripts/calendar-move.js',
  'scripts/calendar-block.js',
  'scripts/search.js',
  'scripts/picture.js',
  'scripts/side-panel.js',
];

interface Asset {
  name: string;
  content: Buffer;
  type: string;
}

export interface Assets {
  /**
   * The address of `styles.css`, `scripts.js` or the icon. It names the content too, so that browsers may
   * keep it for ever.
   */
  url(name: string): string;
  /** `brotli`: the content compressed, once for all who ask, in a thread of its own. */
  find(file: string): { content: Buffer; brotli: () => Promise<Buffer>; type: string } | undefined;
}

/**
 * The common look and the files of `public/`: all styles as one answer, all scripts as another, since every
 * page needs both.
 */
export function loadAssets(): Assets {
  const assets = [
    { name: 'styles.css', content: joined(STYLES, withoutComments), type: 'text/css; charset=utf-8' },
    // Each in a block: what one of them declares is its own.
    {
      name: 'scripts.js',
      content: joined(SCRIPTS, (text) => `{\n${withoutComments(text)}}\n`),
      type: 'text/javascript; charset=utf-8',
    },
    { name: 'favicon.svg', content: readFileSync(join(FOLDER, 'favicon.svg')), type: 'image/svg+xml' },
  ].map((asset) => ({ ...asset, file: fileOf(asset), brotli: compressedOnce(asset.content) }));
  const byFile = new Map(assets.map((asset) => [asset.file, asset]));
  const urls = new Map(assets.map(({ name, file }) => [name, `/settings/assets/${file}`]));
  return {
    url(name) {
      const url = urls.get(name);
      if (!url) throw new Error(`There is no asset ${name}.`);
      return url;
    },
    find: (file) => byFile.get(file),
  };
}

function compressedOnce(content: Buffer): () => Promise<Buffer> {
  let compressed: Promise<Buffer> | undefined;
  return () => {
    compressed ??= promisify(brotliCompress)(content).catch((error: unknown) => {
      compressed = undefined;
      throw error;
    });
    return compressed;
  };
}

/** Lines of comments are for those who read the files: without them there is a fifth less to load. */
export const withoutComments = (text: string): string =>
  text.replace(/^[ \t]*(?:\/\*.*?\*\/|\/\/[^\n]*)[ \t]*\n?/gms, '');

const joined = (files: string[], part: (text: string) => string) =>
  Buffer.from(
    files
      .map((file) => `/* ${basename(file)} */\n${part(readFileSync(resolve(FOLDER, file), 'utf8'))}`)
      .join(''),
  );

function fileOf({ name, content }: Asset): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  return name.replace('.', `.${hash}.`);
}
