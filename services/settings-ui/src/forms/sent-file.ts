import fastifyMultipart from '@fastify/multipart';
import { MAX_PICTURE_BYTES } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The field of its form that is a file. Only such routes take `multipart/form-data`. */
    fileField?: string;
  }
}

/** Photos of phones are read whole, so that the page can say they are too large. */
const MOST_SENT_BYTES = 16 * 1024 * 1024;
/** The token and the version; no more of either than they can have. */
const LIMITS = { files: 1, fields: 4, fieldSize: 1_024, fieldNameSize: 64, headerPairs: 16 };
/** More than may be kept, also in base64: whoever takes it sees that it is too large. */
const FILE_SIZE = MAX_PICTURE_BYTES + 4;

/** Lets a form bring a file, where its route says so. */
export async function takeFiles(app: App): Promise<void> {
  await app.register(fastifyMultipart, {
    throwFileSizeLimit: false,
    limits: { ...LIMITS, fileSize: FILE_SIZE },
  });
  app.addHook('preParsing', async ({ headers, routeOptions }) => {
    if (!headers['content-type']?.toLowerCase().startsWith('multipart/')) return;
    if (routeOptions.config.fileField === undefined)
      throw new AppError('unsupported_media_type', 'This form takes no files.');
    // Browsers say how long it is.
    const isUnbounded = headers['transfer-encoding'] !== undefined;
    if (isUnbounded || Number(headers['content-length'] ?? 0) > MOST_SENT_BYTES)
      throw new AppError('payload_too_large', 'The request body is too large.', {
        headers: { connection: 'close' },
      });
  });
}

/**
 * A form with a file: its text, and under the name of the field the file as `{ type, base64 }`, if one was chosen.
 * @throws AppError 422 for what is no such form
 */
export async function readFormWithFile(request: FastifyRequest): Promise<Record<string, unknown>> {
  const { fileField = '' } = request.routeOptions.config;
  const form: Record<string, unknown> = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') form[part.fieldname] = part.value;
      else {
        const file = await part.toBuffer();
        if (part.fieldname === fileField && file.length > 0)
          form[fileField] = { type: part.mimetype, base64: file.toString('base64') };
      }
    }
  } catch (cause) {
    const faults = { [fileField]: ['This could not be read. Choose the file again.'] };
    throw new AppError('validation_failed', 'The form can’t be read.', { faults, cause });
  }
  return form;
}
