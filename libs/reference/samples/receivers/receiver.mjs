// A receiver of webhooks without packages. FRONTDESK_WEBHOOK_SECRET=whsec_… PORT=4999 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { FRONTDESK_WEBHOOK_SECRET: SECRET = '', PORT = '4999' } = process.env;
const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 5 * 1024 * 1024;
// In your program: a table with a unique key, which outlives a restart. An event may come again after days.
const handled = new Set();

createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
}).listen(Number(PORT));

async function answer(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return 413;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isFromFrontdesk(body, request.headers)) return 400;
  const { id, event, data } = JSON.parse(body.toString());
  if (!handled.has(id)) {
    handled.add(id);
    console.log(event, data.id); // store it, answer, and do the work afterwards
  }
  return 204;
}

/** Both signatures must fit. While the secret is being replaced, each comes twice: one of the two is enough. */
function isFromFrontdesk(body, headers) {
  const service = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const services = [headers['x-service-signature'], headers['x-service-signature-previous']];

  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': given = '',
  } = headers;
  const isNow =
    /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  const key = Buffer.from(SECRET.replace(/^whsec_/, ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const standard = `v1,${signed.digest('base64')}`;

  return SECRET !== '' && isNow && isOneOf(services, service) && isOneOf(given.split(' '), standard);
}

/** The comparison takes the same time wherever the first difference is. */
function isOneOf(given, expected) {
  return given.some((one = '') => {
    const [left, right] = [Buffer.from(one), Buffer.from(expected)];
    return left.length === right.length && timingSafeEqual(left, right);
  });
}
