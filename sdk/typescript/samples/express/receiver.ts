// A receiver of webhooks with Express. FRONTDESK_WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@frontdesk/client';
import express from 'express';

const secret = process.env.FRONTDESK_WEBHOOK_SECRET ?? '';
// In your program: a table with a unique key, which outlives a restart. An event may come again after days.
const handled = new Set<string>();

const app = express();

// The raw body: a signature covers bytes. A call with its transcript may have a few MiB.
app.post('/webhooks', express.raw({ type: 'application/json', limit: '5mb' }), async (request, response) => {
  let event: WebhookEvent;
  try {
    event = await verifyWebhook({ body: request.body, headers: request.headers, secret, scheme: 'both' });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.message);
    return;
  }
  const isNew = !handled.has(event.id);
  handled.add(event.id);
  // First the answer, which Frontdesk waits for at most 10 seconds, then the work.
  response.status(204).end();
  if (isNew) handle(event);
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

app.listen(Number(process.env.PORT ?? 3000));
