import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { type App, AppError } from '@frontdesk/service';

const MAX_BODY_BYTES = 1024 * 1024;
/**
 * Up to here the rest of a body that is too large is read and dropped before the 413: a client that finds the
 * connection closed while it still sends may never see the answer.
 */
const MAX_DISCARDED_BYTES = 8 * MAX_BODY_BYTES;

const tooLarge = () => new AppError('payload_too_large', 'The request body is too large.');

/** Bodies are not read here but streamed to the backend, which finds what is wrong with them; only size is checked. */
export function streamBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const announced = request.headers['content-length'];
    if (announced === undefined) return done(null, counted(request.raw));
    // Node reads no more than was announced: nothing to count.
    if (Number(announced) <= MAX_BODY_BYTES) return done(null, payload);
    discarded(request.raw, Number(announced)).then(() => done(tooLarge()), done);
  });
}

/** The body as far as it is small enough; one that isn't ends in an error. */
function counted(payload: IncomingMessage): Readable {
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received <= MAX_BODY_BYTES) done(null, chunk);
      else done(received > MAX_DISCARDED_BYTES ? tooLarge() : null);
    },
    flush(done) {
      done(received > MAX_BODY_BYTES ? tooLarge() : null);
    },
  });
  // Whoever reads the body hears of its errors; until someone does, they must not end the process.
  body.on('error', () => {});
  payload.once('close', () => {
    if (!payload.readableEnded) body.destroy(new Error('The client went away while sending.'));
  });
  return payload.pipe(body);
}

async function discarded(payload: IncomingMessage, announced: number): Promise<void> {
  if (announced > MAX_DISCARDED_BYTES) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  payload.once('close', resolve).once('end', resolve).resume();
  await promise;
}
