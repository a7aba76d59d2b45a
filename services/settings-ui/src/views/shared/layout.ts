import { SEARCH } from '../../domain/search.ts';
import { documentOf, type Html, html, type Renderable } from './html.ts';
import type { PageContext } from './page-context.ts';
import { csrfField } from './parts.ts';
import { readOnly, suspendedBanner } from './suspended.view.ts';

const NAVIGATION = [
  { href: '/settings', name: 'Overview' },
  { href: '/settings/calendar', name: 'Calendar' },
  { href: '/settings/customers', name: 'Customers' },
  { href: '/settings/calls', name: 'Calls' },
  { href: '/settings/business', name: 'Business' },
  { href: '/settings/api', name: 'API and webhooks' },
  { href: '/settings/people', name: 'People' },
  { href: '/settings/audit', name: 'Audit log' },
  { href: '/settings/account', name: 'Account' },
];

interface Page {
  title: string;
  /** The page's place in the navigation. */
  at?: string;
  /** Beside the title, for example whose settings these are. */
  lead?: Renderable;
  body: Renderable;
}

/** A whole page. Those of people who are not signed in have no navigation. */
export function layout(context: PageContext, page: Page): string {
  const { asset, email, notice, isSuspended } = context;
  const whole = documentOf(html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Frontdesk</title>
<link rel="icon" href="${asset('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('styles.css')}">
<script src="${asset('scripts.js')}" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${email !== null && header(context, email, page.at)}
<main id="main" tabindex="-1"${email === null && html` class="narrow"`}>
${email === null && html`<p class="brand">${mark()} Frontdesk</p>`}
<h1>${page.title}</h1>
${page.lead && html`<p class="lead">${page.lead}</p>`}
${isSuspended && suspendedBanner()}
${notice !== null && html`<p class="notice good" role="status" data-focus tabindex="-1">${notice}</p>`}
${page.body}
</main>
</body>
</html>`);
  return isSuspended ? readOnly(whole) : whole;
}

function header(context: PageContext, email: string, at: string | undefined): Html {
  return html`<header class="top">
<p class="brand">${mark()} Frontdesk</p>
<nav aria-label="Settings"><ul>${NAVIGATION.map(
    ({ href, name }) =>
      html`<li><a href="${href}"${href === at && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
<a class="search-link" href="${SEARCH}" data-search>Search <kbd aria-hidden="true">/</kbd></a>
<form class="who" method="post" action="/settings/sign-out" data-own>${csrfField(context)}
<span class="email" title="Signed in as ${email}">${email}</span>
<button class="quiet" type="submit">Sign out</button></form>
</header>`;
}

const mark = () =>
  html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 18h18v2H3zM5 16a7 7 0 0 1 14 0zM11 5h2v3h-2zM9 4h6v2H9z"/></svg>`;
