import type { OwnBusiness } from '@frontdesk/contracts';
import { badge, postForm } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { numberedPager } from '../ui/pager.view.ts';

interface BusinessPage {
  /** Where the form is sent. */
  action: string;
  businesses: OwnBusiness[];
  /** Of the list, from 1. */
  page: number;
  /** Whether another page follows. */
  goesOn: boolean;
  /** The id of the open one; null at the sign-in. */
  current: number | null;
  /** Where to go after the choice. */
  next: string;
}

export function businessPage(context: PageContext, page: BusinessPage): string {
  const isNone = page.businesses.length === 0 && page.page === 1;
  return layout(context, {
    title: isNone ? 'No business' : 'Choose a business',
    body: isNone
      ? html`<div class="card stack"><p>You don’t belong to any business at the moment. Ask somebody there for an invitation.</p>
<p><a href="/settings/sign-in">Sign in with another address</a></p></div>`
      : html`<ul class="businesses">${page.businesses.map((business) => html`<li>${choice(context, page, business)}</li>`)}</ul>${pages(page)}`,
  });
}

const pages = ({ action, next, page, goesOn }: BusinessPage) =>
  numberedPager({
    of: 'businesses',
    page: String(page),
    goesOn,
    hrefOf: (to) => `${action}?${new URLSearchParams({ next, ...(to !== undefined && { page: to }) })}`,
    names: { back: 'Back', on: 'More' },
  });

const choice = (context: PageContext, page: BusinessPage, business: OwnBusiness): Html =>
  postForm(context, {
    action: page.action,
    reloadsPage: true,
    worksSuspended: true,
    body: html`<input type="hidden" name="next" value="${page.next}">
<button type="submit" name="business_id" value="${business.id}"${business.id === page.current && html` aria-current="true"`}>
<bdi>${nameOf(business)}</bdi>${business.is_suspended && html` ${badge('waiting', 'Suspended')}`}${
      business.id === page.current && html` ${badge('good', 'Open')}`
    }</button>`,
  });

const nameOf = ({ id, name }: OwnBusiness): string => name ?? `Business ${id}`;
