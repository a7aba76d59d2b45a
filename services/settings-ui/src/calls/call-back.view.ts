import { callAddress } from '../records/addresses.rules.ts';
import { actionButton } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';

interface MarkButton {
  id: number;
  /** Whose call it was. */
  of: string;
  /** The page that the button is on, and leads back to. */
  returnTo: 'call' | 'missed';
}

const returnField = (returnTo: MarkButton['returnTo']): Html =>
  html`<input type="hidden" name="return_to" value="${returnTo}">`;

export const calledBackButton = (context: PageContext, { id, of, returnTo }: MarkButton): Html =>
  actionButton(context, {
    action: `${callAddress(id)}/called-back`,
    name: 'Mark as called back',
    of,
    fields: returnField(returnTo),
  });

export const undoButton = (context: PageContext, { id, of, returnTo }: MarkButton): Html =>
  actionButton(context, {
    action: `${callAddress(id)}/not-called-back`,
    name: 'Undo',
    of: `called back: ${of}`,
    fields: returnField(returnTo),
  });
