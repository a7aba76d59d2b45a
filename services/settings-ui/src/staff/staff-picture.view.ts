import { MAX_PICTURE_BYTES, PICTURE_TYPES, type StaffAdmin } from '@frontdesk/contracts';
import { face } from '../records/person.view.ts';
import { versionField } from '../records/record-form.view.ts';
import { actionButton, postForm } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';

interface PicturePanel {
  base: string;
  record: StaffAdmin;
  etag: string;
  /** What was wrong with the picture that was sent. */
  fault: string | undefined;
}

/** A picture for colleagues to see beside the name; in a form of its own, as it is a file. */
export function picturePanel(
  context: PageContext,
  { base, record, etag, fault }: PicturePanel,
): Html | false {
  if (!mayUse(context, 'POST', `${base}/picture`)) return false;
  const { name, picture_version } = record;
  const hasPicture = typeof picture_version === 'number';
  return panel({
    id: 'picture',
    isPlace: true,
    title: 'Picture',
    body: html`<div class="picture">${face(record)}
${postForm(context, {
  action: `${base}/picture`,
  id: 'picture-form',
  look: 'row',
  hasFile: true,
  body: html`${versionField(etag)}<div class="field"><label for="picture-file">${
    hasPicture ? 'Choose another picture' : 'Choose a picture'
  }</label><p class="hint" id="picture-hint">PNG, JPEG or WebP. Large photos are made smaller. Without a picture, initials are shown.</p>
<input id="picture-file" name="picture" type="file" data-most="${MAX_PICTURE_BYTES}" accept="${PICTURE_TYPES.join(',')}" required
aria-describedby="picture-hint${fault && ' picture-error'}"${fault && html` aria-invalid="true" data-focus autofocus`}>
${fault && html`<p class="error" id="picture-error">${fault}</p>`}</div>
<button type="submit">Save picture</button>`,
})}
${
  hasPicture &&
  actionButton(context, {
    action: `${base}/picture/delete`,
    name: 'Remove',
    of: `the picture of ${name}`,
    fields: versionField(etag),
  })
}</div>`,
  });
}
