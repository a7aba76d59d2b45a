import type { Operation } from '@frontdesk/contracts';
import type { ExampleCommand, ExampleNeed, ExampleRecords } from '../../../domain/example-command.ts';
import { type Html, html } from '../../shared/html.ts';
import { snippet, unfinishedSnippet } from './parts.ts';

/** What to do so that an example can run. */
const CURES: Record<ExampleNeed, Html> = {
  service: html`You have no services yet. <a href="/settings/business/services/new">Add one</a>, and this example uses it.`,
  staff: html`You have no staff yet. <a href="/settings/business/staff/new">Add a staff member</a>, and this example uses them.`,
  booking: html`No free time in the next two weeks. Set up <a href="/settings/business/services">services</a>, <a href="/settings/business/staff">staff</a> and <a href="/settings/business/opening-hours">hours</a>, and this example uses a free time.`,
  customer: html`You have no customers yet. <a href="#create-customer">Add one</a>, then reload this page.`,
  appointment: html`You have no appointments yet. <a href="#create-appointment">Book one</a>, then reload this page.`,
  call: html`You have no calls yet. <a href="/settings/calls/sources">Connect a call source</a>; a test call is enough.`,
};

/** A command that runs as it is; where the business lacks what it takes, one that can't be copied and says what to do. */
export function exampleOfOperation(
  { title }: Pick<Operation, 'title'>,
  { text, missing }: ExampleCommand,
  own: ExampleRecords,
): Html {
  const label = `the command of ${title}`;
  if (missing === null) return snippet(label, text);
  const cure =
    own[missing] === undefined
      ? html`The values in brackets can’t be loaded right now. Reload this page in a moment.`
      : CURES[missing];
  return html`<p class="notice waiting">${cure}</p>${unfinishedSnippet(label, text)}`;
}
