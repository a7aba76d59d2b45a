import type { CallMessage, CallMessageWithBody } from '@frontdesk/contracts';
import { callsFrame } from '../calls/calls-page.view.ts';
import { callAddress, messageAddress, SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { actionButton, code, confirmation } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { visibleBeginning } from '../ui/visible-text.ts';
import { messageOutcome } from './call-messages.view.ts';
import { indentedBeginning } from './indented-json.rules.ts';

/** Of the body, in characters: a message may have millions. */
const SHOWN_OF_BODY = 32 * 1024;

interface ShownMessage {
  message: CallMessage;
  /** Null where the source is deleted or unknown. */
  sourceName: string | null;
  region: Region;
}

interface MessagePage extends ShownMessage {
  message: CallMessageWithBody;
  refusal?: string | undefined;
}

export function callMessagePage(
  context: PageContext,
  { message, sourceName, region, refusal }: MessagePage,
): string {
  const { id, source_id, bytes } = message;
  const { shown, isClipped } = visibleBeginning(
    indentedBeginning(message.body, SHOWN_OF_BODY),
    SHOWN_OF_BODY,
  );
  return callsFrame(context, {
    title: `Message ${id}`,
    part: SOURCES,
    lead: html`<a href="${
      sourceName === null ? SOURCES : `${sourceAddress(source_id)}#messages`
    }">Back to ${sourceName ?? 'the call sources'}</a>`,
    refusal,
    body: html`<p class="for-reader" role="status" id="live-news"></p>
<div data-live="${messageAddress(id)}/live">${messageProgress(context, { message, sourceName, region })}</div>
${panel({
  id: 'body',
  title: 'Message body',
  body: html`${code('The body', shown)}
${
  isClipped &&
  html`<p class="hint">Only the beginning is shown. All ${countText(region, bytes)} bytes are kept and processed.</p>`
}`,
})}`,
  });
}

/** What changes by itself: the status, and what it has led to. */
export function messageProgress(context: PageContext, { message, sourceName, region }: ShownMessage): Html {
  const { id, source_id, call_id, status, reason, content_type, bytes, received_at } = message;
  return panel({
    id: 'summary',
    title: 'Summary',
    body: html`<dl><dt>Source</dt><dd>${sourceName ?? `Source ${source_id}`}</dd>
<dt>Received</dt><dd>${timeIn(region, received_at)}</dd>
<dt>Status</dt><dd data-news="Message ${id}: ${status}">${messageOutcome(message)}</dd>
${reason && html`<dt>Reason</dt><dd>${reason}</dd>`}
${call_id !== null && html`<dt>Call</dt><dd><a href="${callAddress(call_id)}">Call ${call_id}</a></dd>`}
<dt>Content</dt><dd>${content_type === '' ? 'Type not given' : content_type}, ${bytes} bytes</dd></dl>
<div class="actions">${actionButton(context, {
      action: `${messageAddress(id)}/replay`,
      name: 'Process again',
      of: `message ${id}`,
    })}
${confirmation(context, {
  id: 'delete',
  button: 'Delete',
  of: `message ${id}`,
  title: `Delete message ${id}?`,
  text: 'It can’t be processed again after that. What it added to a call stays.',
  action: `${messageAddress(id)}/delete`,
  confirm: 'Delete message',
})}</div>`,
  });
}
