import { CALL_PROVIDERS, type CallSource, MAX_LENGTH } from '@frontdesk/contracts';
import { SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import { PROVIDER_WORDS } from '../records/call-words.view.ts';
import { postForm } from '../ui/controls.view.ts';
import { flagInput, inputField, radioGroup, selectInput } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { sourceFields } from './call-source-form.rules.ts';

const NAME = { name: 'name', label: 'Name', maxLength: MAX_LENGTH.callSourceName } as const;

/** Adds a source. Folded away where there are some already, unless something is wrong with what was sent. */
export const addSourceForm = (context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html =>
  html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add a source</summary>
${postForm(context, {
  action: SOURCES,
  look: 'stack',
  state: form,
  isOnce: true,
  body: html`${providerChoice(form)}
<div class="stack short">${inputField(form, { ...NAME, hint: 'Shows where a call came in, for example “Main line”.' })}
<div class="own-secret">${inputField(form, {
    name: 'secret',
    label: 'Secret',
    type: 'password',
    canBeEmpty: true,
    hint: OWN_SECRETS,
  })}</div></div>
<div class="actions"><button type="submit" class="primary">Add source</button></div>`,
})}</details>`;

/** Of the provider that is chosen, that one alone is seen; the others get a secret made here. */
const OWN_SECRETS = CALL_PROVIDERS.flatMap((provider) => {
  const { secret } = PROVIDER_WORDS[provider];
  return secret === null ? [] : [html`<span class="of-${provider}">${secret}. </span>`];
});

const providerChoice = (form: FormState): Html =>
  radioGroup(form, {
    name: 'provider',
    label: 'Where do the calls come from?',
    choices: CALL_PROVIDERS.map((provider) => {
      const { name, about } = PROVIDER_WORDS[provider];
      return { value: provider, label: html`<strong>${name}</strong>`, hint: about };
    }),
  });

/** A source's settings as they are, or as somebody has sent them. */
export const settingsState = (source: CallSource, sent: FormState = EMPTY_FORM): FormState =>
  isSent(sent) ? sent : { ...sent, values: sourceFields(source) };

/** The name and settings of a source. Only Vapi's have a scheme. */
export const settingsForm = (context: PageContext, id: number, form: FormState): Html =>
  postForm(context, {
    action: sourceAddress(id),
    look: 'stack call-settings',
    state: form,
    body: html`<input type="hidden" name="is_form" value="true">
<div class="short">${inputField(form, NAME)}</div>
${flagInput(form, {
  name: 'creates_leads',
  label: 'Create leads for unknown callers',
  hint: 'Outbound calls don’t create leads.',
})}
${flagInput(form, {
  name: 'classifies_sentiment',
  label: 'Detect the sentiment from the customer’s words',
  hint: 'Used when the provider sends none. English only.',
})}
${'scheme' in form.values && vapiFields(form)}
<div class="actions"><button type="submit" class="primary">Save settings</button></div>`,
  });

const SCHEMES = [
  { value: 'bearer', label: 'Bearer Token' },
  { value: 'hmac', label: 'HMAC' },
];

/** Only those of the kind that is chosen are seen, so all may be empty. */
const vapiFields = (form: FormState): Html =>
  html`<div class="stack short">
${selectInput(form, { name: 'scheme', label: 'Credential type in Vapi', choices: SCHEMES })}
<div class="stack hmac-fields"><p class="hint">As set in the credential: SHA-256 in hex or base64.</p>
${inputField(form, { name: 'signature_header', label: 'Signature header', maxLength: MAX_LENGTH.headerName, canBeEmpty: true })}
${inputField(form, {
  name: 'timestamp_header',
  label: 'Timestamp header',
  maxLength: MAX_LENGTH.headerName,
  canBeEmpty: true,
  hint: 'Leave it empty if the signature covers no timestamp.',
})}
${inputField(form, {
  name: 'payload',
  label: 'Payload',
  maxLength: MAX_LENGTH.signedPayload,
  canBeEmpty: true,
  hint: 'What is signed, with {body} and {timestamp} as placeholders.',
})}</div></div>`;
