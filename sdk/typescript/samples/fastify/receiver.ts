// A receiver of webhooks with Fastify. FRONTDESK_WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@frontdesk/client';
import fastify from 'fastify';

const secret = process.env.FRONTDESK_WEBHOOK_SECRET ?? '';
// In your program: a table with a unique key, which outlives a restart. An event may come again after days.
const handled = new Set<string>();

// A call with its transcript may have a few MiB.
const app = fastify({ bodyLimit: 5 * 1024 * 1024 });

// The raw body: a signature covers bytes.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);

app.post<{ Body: Buffer }>('/webhooks', async (request, reply) => {
  let event: WebhookEvent;
  try {
    event = await verifyWebhook({ body: request.body, headers: request.headers, secret, scheme: 'both' });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return reply.code(400).send(error.message);
  }
  const isNew = !handled.has(event.id);
  handled.add(event.id);
  // First the answer, which Frontdesk waits for at most 10 seconds, then the work.
  reply.code(204).send();
  if (isNew) handle(event);
  return reply;
});

function handle(event: WebhookEvent): void {
  switch (event.event) {
    case 'appointment.created':
      console.log(`${event.event} ${event.id}: appointment ${event.data.id} at ${event.data.starts_at}`);
      break;
    default:
      // There may be more kinds of events than this program knows.
      console.log(`${event.event} ${event.id}`);
  }
}

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
