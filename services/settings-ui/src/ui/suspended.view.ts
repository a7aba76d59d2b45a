import { type Html, html } from './html.ts';
import { notice } from './notice.view.ts';

export const suspendedBanner = (): Html =>
  notice(
    'waiting',
    html`<p><strong>This business is suspended.</strong> You can view everything here, but not change anything.</p>
<p>API requests and messages from call sources are refused. Webhook deliveries wait until it is active again.
Your Frontdesk operator can tell you why, and reactivate it.</p>`,
    { role: 'status', look: 'suspended' },
  );
