import type { Region } from '../region/region.rules.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { writtenNumber } from '../ui/phone-link.view.ts';

interface DeskButton {
  action: string;
  name: string;
  /** Of what, for those who hear the button out of its row. */
  of: string;
  /** The ETag’s number of the record that the page shows. */
  version?: number;
}

/** A change with one press, for whoever may make it. It sends the page’s one form to an address of its own. */
export const deskButton = (context: PageContext, { action, name, of, version }: DeskButton): Html | false =>
  canChange(context, action) &&
  html`<button class="quiet" form="desk" formaction="${action}"${
    version !== undefined && html` name="version" value="${`"${version}"`}"`
  }>${name}<span class="for-reader"> ${of}</span></button>`;

/** Calls with one press; nothing where the number can’t be dialled. */
export function callButton(region: Region, number: string, name: string): Html | false {
  const { shown, dialled } = writtenNumber(region, number);
  return (
    dialled !== null &&
    html`<a class="button quiet" href="tel:${dialled}" title="${shown}">Call<span class="for-reader"> ${name}</span></a>`
  );
}
