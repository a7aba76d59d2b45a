import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type App, AppError } from '@frontdesk/service';
import { z } from 'zod';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'public');
const HASH_CHARACTERS = 12;
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface Assets {
  /** The address of a file from `public/`. It names the content too, so that browsers may keep it for ever. */
  url(name: string): string;
  find(file: string): { content: Buffer; type: string } | undefined;
}

export function loadAssets(folder = FOLDER): Assets {
  const names = readdirSync(folder).filter((name) => extname(name) in TYPES);
  const assets = names.map((name) => {
    const content = readFileSync(join(folder, name));
    const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
    const extension = extname(name);
    const file = `${name.slice(0, -extension.length)}.${hash}${extension}`;
    return { name, file, content, type: TYPES[extension] ?? '' };
  });
  const byFile = new Map(assets.map((asset) => [asset.file, asset]));
  const urls = new Map(assets.map(({ name, file }) => [name, `/settings/assets/${file}`]));
  return {
    url(name) {
      const url = urls.get(name);
      if (!url) throw new Error(`There is no ${name} in public/.`);
      return url;
    },
    find: (file) => byFile.get(file),
  };
}

export function assetRoutes(app: App, assets: Assets): void {
  app.get(
    '/settings/assets/:file',
    { config: { open: true }, schema: { params: z.object({ file: z.string() }) } },
    async ({ params }, reply) => {
      const asset = assets.find(params.file);
      if (!asset) throw new AppError('not_found', 'Not found.');
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type(asset.type)
        .send(asset.content);
    },
  );
}
