import type { Operation } from '@frontdesk/contracts';
import type { ExampleCommand, ExampleNeed, ExampleRecords } from '../../../domain/example-command.ts';
import { type Html, html } from '../../shared/html.ts';
import { snippet, unfinishedSnippet } from './parts.ts';

/** What to do for an example to be whole. */
const CURES: Record<ExampleNeed, Html> = {
  service: html`There is no service yet. <a href="/settings/business/services/new">Add one</a>, and it stands here.`,
  staff: html`There is no staff yet. <a href="/settings/business/staff/new">Add a member of staff</a>, and they stand here.`,
  booking: html`Nothing can be booked in the next two weeks. Set up <a href="/settings/business/services">services</a>, <a href="/settings/business/staff">staff</a> and <a href="/settings/business/opening-hours">hours</a>, and a free time stands here.`,
  customer: html`There is no customer yet. <a href="#create-customer">Add one</a> and reload this page.`,
  appointment: html`There is no appointment yet. <a href="#create-appointment">Book one</a> and reload this page.`,
  call: html`There is no call yet. <a href="/settings/calls">Connect a call source</a>: a test call will do.`,
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
      ? html`What stands in brackets can’t be told right now. Reload this page in a moment.`
      : CURES[missing];
  return html`<p class="notice waiting">${cure}</p>${unfinishedSnippet(label, text)}`;
}
