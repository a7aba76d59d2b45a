import { type Html, html } from './html.ts';

/** Forms that change something. What people typed is escaped, so nothing but markup matches. */
const FORMS_OF_CHANGES = /(<form\b(?=[^>]*\bmethod="post")(?![^>]*\bdata-own\b)[^>]*>)([\s\S]*?)(<\/form>)/g;

/**
 * The same page with every form of a change switched off, so that it can be read and not sent; but for those marked `data-own`,
 * which are about the admin alone. All pages come by here, so that none is forgotten.
 */
export const readOnly = (page: string): string =>
  page.replaceAll(FORMS_OF_CHANGES, '$1<fieldset class="switched-off" disabled>$2</fieldset>$3');

export const suspendedBanner = (): Html =>
  html`<div class="notice waiting suspended" role="status"><p><strong>This account is suspended.</strong> You can look at everything here, but change nothing.</p>
<p>Requests to the API are refused, and so is what call sources send. Webhook deliveries wait until the account is active again. Whoever runs Frontdesk for you can tell you why, and make it active.</p></div>`;
