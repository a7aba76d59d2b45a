import { parse } from 'node:querystring';
import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import { type App, formRefusal, invalid } from '@frontdesk/service';
import { readFormWithFile, takeFiles } from '../forms/sent-file.ts';
import { type FormValues, hasTooManyFields, MOST_FIELDS, sentForm } from '../forms/sent-form.rules.ts';
import { PASSWORD_FIELD } from './confirm-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The form's text as it came, before any conversion: the only input that a page shows again after a refusal. */
    sent: FormValues | undefined;
  }
}

const YEAR_SECONDS = 31_536_000;
/**
 * Of forms that strangers may send. Lists within lists take long to parse: of 1 MiB half a second, of 64 KiB
 * some milliseconds.
 */
export const OPEN_FORM_LIMIT_BYTES = 64 * 1024;

/**
 * Turns an app of JSON into one for browsers: forms, cookies, compression, and headers that let a page do
 * nothing but its own.
 */
export async function serveBrowsers(app: App, { isSecure }: { isSecure: boolean }): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      // A copy: querystring's own objects have no prototype.
      done(body.length > 0 ? formRefusal(request.headers, body) : null, { ...parse(body.toString('utf8')) });
    },
  );
  await takeFiles(app);
  app.decorateRequest('sent');
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readFormWithFile(request);
    const isTooMuch = hasTooManyFields(request.body);
    // The answer to a question for the password is no field that a page shows again.
    const { [PASSWORD_FIELD]: _password, ...sent } = sentForm.parse(isTooMuch ? {} : request.body);
    request.sent = sent;
    if (isTooMuch) throw invalid({ body: [`The request body must have at most ${MOST_FIELDS} fields.`] });
  });
  await app.register(fastifyCookie);
  // Requests are not decompressed: a small one could grow without a bound.
  await app.register(fastifyCompress, { encodings: ['br', 'gzip'], globalDecompression: false });
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
