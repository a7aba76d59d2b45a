import type { ListPage } from '@frontdesk/service';
import { type Html, html } from '../shared/html.ts';

interface Paging {
  /** The page that is shown, as the address has it. */
  page: string | undefined;
  perPage: number;
  what: string;
  hrefOf: (page: string | undefined) => string;
}

/** The way through a list of a customer's page, from the latest on. */
export function olderAndNewer(
  { rows, total }: ListPage<unknown[]>,
  { page = '1', perPage, what, hrefOf }: Paging,
): Html | false {
  const at = Number(page);
  const goesOn = (at - 1) * perPage + rows.length < total;
  const link = (to: number, name: string) =>
    html`<a class="button" href="${hrefOf(to === 1 ? undefined : String(to))}">${name} ${what}</a>`;
  return (
    (at > 1 || goesOn) &&
    html`<p class="actions">${at > 1 && link(at - 1, 'Newer')}${goesOn && link(at + 1, 'Older')}</p>`
  );
}
