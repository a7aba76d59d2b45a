import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { FRONTDESK_WEBHOOK_SECRET: SECRET = '', PORT = '4999' } = process.env;
const handled = new Set(); // in real life: a table with a unique id

createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
}).listen(Number(PORT));

async function answer(request) {
  const body = Buffer.concat(await request.toArray());
  if (!isFromFrontdesk(body, request.headers)) return 400;
  const { id, event, data } = JSON.parse(body.toString());
  if (!handled.has(id)) {
    handled.add(id);
    console.log(event, data.id); // store it, answer, and do the work afterwards
  }
  return 204;
}

/** While the secret is being replaced, requests bear a signature by either one. */
function isFromFrontdesk(body, headers) {
  const expected = Buffer.from(`sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`);
  return ['x-service-signature', 'x-service-signature-previous'].some((name) => {
    const given = Buffer.from(headers[name] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
