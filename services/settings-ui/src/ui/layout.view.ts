import { postForm } from './controls.view.ts';
import { documentOf, type Html, html, type Renderable } from './html.ts';
import { isOfSettings, PLACES, type PlaceIcon, SEARCH, SETTINGS, settingsFor } from './navigation.rules.ts';
import { notice, toast } from './notice.view.ts';
import type { PageContext } from './page-context.ts';
import { mayUse } from './page-scopes.rules.ts';
import { suspendedBanner } from './suspended.view.ts';

interface Page {
  title: string;
  /** The page's place in the navigation. */
  at?: string;
  /** What is done most on this page, in the line of its title. */
  action?: Renderable;
  /** Beside the title, for example whose settings these are. */
  lead?: Renderable;
  body: Renderable;
  /** The way back from what has just been done: it is said in a toast. */
  undo?: Renderable;
  /** Places for what scripts say at the end of the window, in sight wherever it is scrolled to. */
  said?: Renderable;
}

/** A whole page. Those of people who are not signed in have no navigation. */
export function layout(context: PageContext, page: Page): string {
  const { asset, email } = context;
  const isSetting = email !== null && page.at !== undefined && isOfSettings(page.at);
  return documentOf(html`<html lang="en">
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
${isSetting ? besideSettings(context, page.at, main(context, page, isSetting)) : main(context, page)}
${email !== null && html`<div class="said"><div role="status" id="live-state"></div>${page.said}</div>`}
</body>
</html>`);
}

function main(
  { email, notice: done, isSuspended }: PageContext,
  { title, action, lead, body, undo }: Page,
  isSetting = false,
): Html {
  const heading = html`<h1>${title}</h1>`;
  return html`<main id="main" tabindex="-1"${email === null && html` class="narrow"`}>
${email === null && html`<p class="brand">${mark()} Frontdesk</p>`}
${isSetting && html`<p class="up"><a href="${SETTINGS}">Settings</a></p>`}
${action ? html`<div class="title">${heading}${action}</div>` : heading}
${lead && html`<p class="lead">${lead}</p>`}
${isSuspended && suspendedBanner()}
${done !== null && (undo ? toast(done, undo) : notice('good', done, { role: 'status', isAnswer: true }))}
${body}
</main>`;
}

/** The places of the day and the settings: above on a desk, below on a phone; and who is signed in. */
function header(context: PageContext, email: string, at: string | undefined): Html {
  const isAtSettings = at !== undefined && (at === SETTINGS || isOfSettings(at));
  const current = (isCurrent: boolean, value: 'page' | 'true' = 'page') =>
    isCurrent && html` aria-current="${value}"`;
  return html`<header class="top">
<p class="brand">${mark()} <span>${context.hasOtherBusinesses && context.businessName !== null ? html`<bdi>${context.businessName}</bdi>` : 'Frontdesk'}</span></p>
<nav class="places" aria-label="Main"><ul>${PLACES.filter(({ href }) => mayUse(context, 'GET', href)).map(
    ({ href, name, icon }) =>
      html`<li><a href="${href}"${current(href === at)}>${placeIcon(icon)}${name}</a></li>`,
  )}
<li><a href="${SETTINGS}"${current(isAtSettings, at === SETTINGS ? 'page' : 'true')}>${placeIcon('settings')}Settings</a></li></ul></nav>
<a class="search-link" href="${SEARCH}" data-search>Search <kbd aria-hidden="true">/</kbd></a>
${ownMenu(context, email)}
</header>`;
}

/** Behind the name of who is signed in. Browsers open and close it without a script. */
const ownMenu = (context: PageContext, email: string): Html =>
  html`<button type="button" class="who" popovertarget="own-menu">
<span class="initial" aria-hidden="true">${(email.at(0) ?? '').toUpperCase()}</span><span class="for-reader">Your menu, </span>
<span class="email">${email}</span></button>
<div id="own-menu" class="menu" popover><p class="hint">Signed in as <strong>${email}</strong></p>
${context.hasOtherBusinesses && html`<a href="/settings/switch-business">Switch business</a>`}
<a href="/settings/account">Account</a>
${postForm(context, {
  action: '/settings/sign-out',
  reloadsPage: true,
  worksSuspended: true,
  body: html`<button class="quiet" type="submit">Sign out</button>`,
})}</div>`;

/** One of the settings beside the list of all; a phone has the list as a page of its own. */
const besideSettings = (context: PageContext, at: string | undefined, shown: Html): Html =>
  html`<div class="beside-settings"><nav class="settings-list" aria-label="Settings">${settingsFor(
    context,
  ).map(
    ({ name, pages }) =>
      html`<p>${name}</p><ul>${pages.map(
        (page) =>
          html`<li><a href="${page.href}"${page.href === at && html` aria-current="page"`}>${page.name}</a></li>`,
      )}</ul>`,
  )}</nav>
${shown}</div>`;

const ICONS: Readonly<Record<PlaceIcon, Html>> = {
  today: html`<path d="M9 4h6v3H9zM8.5 5.5H5V20h14V5.5h-3.5M9 11.5h6M9 15.5h4"/>`,
  calendar: html`<path d="M4 6h16v14H4zM4 10.5h16M8 3v4M16 3v4"/>`,
  customers: html`<circle cx="12" cy="8" r="4"/><path d="M4 20.5c.7-4.2 4-6 8-6s7.3 1.8 8 6"/>`,
  calls: html`<path d="M5 4h4l1.5 4.5-2.300 1.600a12 12 0 0 0 5.700 5.700l1.600-2.300L20 15v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z"/>`,
  settings: html`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>`,
};

const placeIcon = (name: PlaceIcon): Html =>
  html`<svg class="place" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name]}</svg>`;

const mark = () =>
  html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
<path d="M3 18h18v2H3zM5 16a7 7 0 0 1 14 0zM11 5h2v3h-2zM9 4h6v2H9z"/></svg>`;
