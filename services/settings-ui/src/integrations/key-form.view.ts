import {
  ALL_KEY_SCOPES,
  type ApiKey,
  KEY_PRESETS,
  type KeyScope,
  MAX_KEY_NETWORKS,
  MAX_LENGTH,
  type Scope,
} from '@frontdesk/contracts';
import { recordForm } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import { scopeText } from '../records/scope-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { postForm } from '../ui/controls.view.ts';
import { checkboxGroup, dateInput, inputField, radioGroup, textArea } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { expiryDateOf, OWN_CHOICE, PRESET_NAMES } from './key-form.rules.ts';

/** Each network with a line end. */
const MAX_NETWORKS_TEXT = MAX_KEY_NETWORKS * (MAX_LENGTH.network + 2);

/** Makes a key. Folded away where there are some already, unless something is wrong with what was sent. */
export const newKeyForm = (
  context: PageContext,
  form: FormState,
  { region, isOpen }: { region: Region; isOpen: boolean },
): Html =>
  html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Create a key</summary>
${postForm(context, {
  action: '/settings/api/keys',
  look: 'stack',
  label: 'Create a key',
  state: form,
  isOnce: true,
  body: html`${hiddenFields(region)}
${inputField(form, { name: 'name', label: 'Name of a new key', placeholder: 'Website', maxLength: MAX_LENGTH.keyName })}
${radioGroup(form, { name: 'preset', label: 'Permissions', choices: presetChoices(context) })}
${scopeBoxes(form, offeredTo(context), { label: 'Custom permissions', look: 'own-scopes' })}
${expiryField(form)}${networksField(form)}
<div class="actions"><button type="submit" class="primary">Create key</button></div>`,
})}</details>`;

/** Changes a key, shown as it is or as it was sent. */
export function changeKeyForm(
  context: PageContext,
  key: ApiKey,
  { form, etag, region }: { form: FormState; etag: string; region: Region },
): Html {
  const values = {
    name: key.name,
    scopes: key.scopes,
    expires_at: expiryDateOf(key.expires_at, region.zone),
    networks: key.networks?.join('\n') ?? '',
  };
  const shown = recordState(form, { etag, values });
  return recordForm(context, shown, {
    action: `/settings/api/keys/${key.id}`,
    id: 'change-key',
    label: 'Change the key',
    isRecord: true,
    submit: 'Save',
    body: html`${hiddenFields(region)}<input type="hidden" name="shown_expires_at" value="${key.expires_at ?? ''}">
${inputField(shown, { name: 'name', label: 'Name', maxLength: MAX_LENGTH.keyName })}
${scopeBoxes(shown, offeredTo(context, key.scopes), { label: 'Permissions' })}
${key.rolled_to === null && expiryField(shown)}${networksField(shown)}`,
  });
}

const hiddenFields = ({ zone }: Region): Html =>
  html`<input type="hidden" name="is_form" value="true"><input type="hidden" name="shown_timezone" value="${zone}">`;

/** Nobody gives what they don't have; what the key may do already can stay. */
const offeredTo = ({ scopes }: { scopes: readonly Scope[] }, held: readonly string[] = []): KeyScope[] =>
  ALL_KEY_SCOPES.filter((scope) => scopes.includes(scope) || held.includes(scope));

const presetChoices = ({ scopes }: { scopes: readonly Scope[] }) => [
  ...PRESET_NAMES.filter((name) => KEY_PRESETS[name].scopes.every((scope) => scopes.includes(scope))).map(
    (value) => ({ value, label: KEY_PRESETS[value].name, hint: KEY_PRESETS[value].meaning }),
  ),
  { value: OWN_CHOICE, label: 'Custom', hint: 'Choose each permission.' },
];

const scopeBoxes = (
  form: FormState,
  offered: readonly KeyScope[],
  { label, look }: { label: string; look?: string },
): Html =>
  checkboxGroup(form, {
    name: 'scopes',
    label,
    ...(look !== undefined && { look }),
    choices: offered.map((value) => ({ value, label: scopeText(value) })),
  });

const expiryField = (form: FormState): Html =>
  dateInput(form, {
    name: 'expires_at',
    label: 'Expires on',
    hint: 'The key stops working at the end of this day. Leave it empty for a key that doesn’t expire.',
    isOptional: true,
  });

const networksField = (form: FormState): Html =>
  textArea(form, {
    name: 'networks',
    label: 'Allowed networks',
    hint: 'IP addresses or networks, such as 203.0.113.0/24, one on each line. Leave it empty to allow all.',
    isOptional: true,
    rows: 2,
    maxLength: MAX_NETWORKS_TEXT,
  });
