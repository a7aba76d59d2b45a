import { type App, AppError } from '@frontdesk/service';
import { z } from 'zod';
import type { Assets } from './assets.ts';

export function assetRoutes(app: App, assets: Assets): void {
  app.get(
    '/settings/assets/:file',
    { config: { open: true }, schema: { params: z.object({ file: z.string() }) } },
    async ({ params, headers }, reply) => {
      const asset = assets.find(params.file);
      if (!asset) throw new AppError('not_found', 'Not found.');
      void reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
        .type(asset.type);
      if (!takesBrotli(headers['accept-encoding'])) return reply.send(asset.content);
      return reply.header('content-encoding', 'br').send(await asset.brotli());
    },
  );
}

/** Browsers name brotli in this way. For other ways of naming it, the app compresses the answer by itself. */
const takesBrotli = (encodings: string | undefined) =>
  encodings?.split(',').some((encoding) => encoding.trim() === 'br') === true;
