import { CALL_PROVIDERS, type CallSource } from '@frontdesk/contracts';
import { SOURCES, sourceAddress } from '../../domain/calls/call-addresses.ts';
import { sourceFields } from '../../domain/calls/call-source-form.ts';
import { flagInput, inputField, radioGroup, selectInput } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../shared/page-context.ts';
import { csrfField, formMessage, onceField } from '../shared/parts.ts';
import { PROVIDER_WORDS } from './call-words.ts';

const NAME = { name: 'name', label: 'Name', maxLength: 64 } as const;

/** Adds a source. Folded away where there are some already, unless something is wrong with what was sent. */
export const addSourceForm = (context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html =>
  html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add a source</summary>
<form method="post" action="${SOURCES}" data-inline class="stack">${formMessage(form)}${csrfField(context)}${onceField(context)}
${providerChoice(form)}
<div class="stack short">${inputField(form, { ...NAME, hint: 'Shows where a call came in, for example “Main line”.' })}
<div class="own-secret">${inputField(form, {
    ...{ name: 'secret', label: 'Secret', type: 'password', canBeEmpty: true },
    hint: OWN_SECRETS,
  })}</div></div>
<div class="actions"><button type="submit" class="primary">Add source</button></div></form></details>`;

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
  html`<form method="post" action="${sourceAddress(id)}" data-inline class="stack call-settings">
${formMessage(form)}${csrfField(context)}<input type="hidden" name="is_form" value="true">
<div class="short">${inputField(form, NAME)}</div>
${flagInput(form, { name: 'creates_leads', label: 'Create leads for unknown callers', hint: 'Outbound calls don’t create leads.' })}
${flagInput(form, { name: 'classifies_sentiment', label: 'Detect the sentiment from the customer’s words', hint: 'Used when the provider sends none. English only.' })}
${'scheme' in form.values && vapiFields(form)}
<div class="actions"><button type="submit" class="primary">Save settings</button></div></form>`;

const SCHEMES = [
  { value: 'bearer', label: 'Bearer Token' },
  { value: 'hmac', label: 'HMAC' },
];

/** Only those of the kind that is chosen are seen, so all may be empty. */
const vapiFields = (form: FormState): Html =>
  html`<div class="stack short">${selectInput(form, { name: 'scheme', label: 'Credential type in Vapi', choices: SCHEMES })}
<div class="stack hmac-fields"><p class="hint">As set in the credential: SHA-256 in hex or base64.</p>
${inputField(form, { name: 'signature_header', label: 'Signature header', maxLength: 100, canBeEmpty: true })}
${inputField(form, { name: 'timestamp_header', label: 'Timestamp header', maxLength: 100, canBeEmpty: true, hint: 'Leave it empty if the signature covers no timestamp.' })}
${inputField(form, { name: 'payload', label: 'Payload', maxLength: 200, canBeEmpty: true, hint: 'What is signed, with {body} and {timestamp} as placeholders.' })}</div></div>`;
