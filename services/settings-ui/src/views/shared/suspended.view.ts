import { type Html, html } from './html.ts';

/** Forms that change something. Text from people is escaped, so it never matches. */
const FORMS_OF_CHANGES = /(<form\b(?=[^>]*\bmethod="post")(?![^>]*\bdata-own\b)[^>]*>)([\s\S]*?)(<\/form>)/g;

/**
 * The page with its forms disabled, so that they can be read and not sent. Forms marked `data-own`, which concern the admin
 * alone, stay enabled. Every page passes through here, so that none is forgotten.
 */
export const readOnly = (page: string): string =>
  page.replaceAll(FORMS_OF_CHANGES, '$1<fieldset class="switched-off" disabled>$2</fieldset>$3');

export const suspendedBanner = (): Html =>
  html`<div class="notice waiting suspended" role="status"><p><strong>This business is suspended.</strong> You can view everything here, but not change anything.</p>
<p>API requests and messages from call sources are refused. Webhook deliveries wait until it is active again. Your Frontdesk operator can tell you why, and reactivate it.</p></div>`;
