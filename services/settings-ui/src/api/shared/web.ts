import { parse } from 'node:querystring';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import type { App } from '@frontdesk/service';
import { type FormValues, sentForm } from '../../domain/sent-form.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The form's text as it came, before any conversion: the only input that a page shows again after a refusal. */
    sent: FormValues | undefined;
  }
}

const YEAR_SECONDS = 31_536_000;

/** Turns an app of JSON into one for browsers: forms, cookies, compression, and headers that let a page do nothing but its own. */
export async function serveBrowsers(app: App, { isSecure }: { isSecure: boolean }): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      // A copy: querystring's own objects have no prototype.
      done(null, { ...parse(body as string) });
    },
  );
  app.decorateRequest('sent');
  app.addHook('preValidation', async (request) => {
    request.sent = sentForm.parse(request.body);
  });
  await app.register(fastifyCookie);
  await app.register(fastifyCompress, { encodings: ['br', 'gzip'] });
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    hsts: isSecure && { maxAge: YEAR_SECONDS },
    xFrameOptions: { action: 'deny' },
    // With less, browsers send forms with the origin "null".
    referrerPolicy: { policy: 'same-origin' },
  });
}
