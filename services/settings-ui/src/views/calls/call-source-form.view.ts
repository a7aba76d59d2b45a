import { CALL_PROVIDERS, type CallSource } from '@frontdesk/contracts';
import { sourceFields } from '../../domain/call-source-form.ts';
import { flagInput, inputField, radioGroup, selectInput } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../shared/page-context.ts';
import { csrfField, formMessage, onceField } from '../shared/parts.ts';
import { PROVIDER_WORDS, sourceAddress } from './call-words.ts';

const NAME = { name: 'name', label: 'Name', maxLength: 64 } as const;

/** Adds a source. Folded away where there are some already, unless something is wrong with what was sent. */
export const addSourceForm = (context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html =>
  html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add a source</summary>
<form method="post" action="/settings/calls/sources" data-inline class="stack">${formMessage(form)}${csrfField(context)}${onceField()}
${providerChoice(form)}
<div class="stack short">${inputField(form, { ...NAME, hint: 'What your calls say they came in by, “Main line” for example.' })}
${inputField(form, {
  ...{ name: 'secret', label: 'Secret', type: 'password', canBeEmpty: true },
  hint: 'Retell: your API key. Twilio: your auth token. Leave it empty for the others: one is made and shown to you.',
})}</div>
<div class="actions"><button type="submit" class="primary">Add source</button></div></form></details>`;

const providerChoice = (form: FormState): Html =>
  radioGroup(form, {
    name: 'provider',
    label: 'Who sends the calls?',
    choices: CALL_PROVIDERS.map((provider) => {
      const { name, about } = PROVIDER_WORDS[provider];
      return { value: provider, label: html`<strong>${name}</strong>`, hint: about };
    }),
  });

/** A source's settings as they are, or as somebody has sent them. */
export const settingsState = (source: CallSource, sent: FormState = EMPTY_FORM): FormState =>
  isSent(sent) ? sent : { ...sent, values: sourceFields(source) };

/** The name and settings of a source. Only Vapi's tell a scheme. */
export const settingsForm = (context: PageContext, id: number, form: FormState): Html =>
  html`<form method="post" action="${sourceAddress(id)}" data-inline class="stack call-settings">
${formMessage(form)}${csrfField(context)}<input type="hidden" name="is_form" value="true">
<div class="short">${inputField(form, NAME)}</div>
${flagInput(form, { name: 'creates_leads', label: 'Make an unknown caller a customer, as a lead', hint: 'Whoever is called doesn’t become one.' })}
${flagInput(form, { name: 'classifies_sentiment', label: 'Work out the sentiment from the customer’s words', hint: 'Where the provider tells none. English only.' })}
${'scheme' in form.values && vapiFields(form)}
<div class="actions"><button type="submit" class="primary">Save settings</button></div></form>`;

const SCHEMES = [
  { value: 'bearer', label: 'Bearer Token' },
  { value: 'hmac', label: 'HMAC' },
];

/** Only those of the kind that is chosen are seen, so all may be empty. */
const vapiFields = (form: FormState): Html =>
  html`<div class="stack short">${selectInput(form, { name: 'scheme', label: 'Kind of the credential in Vapi', choices: SCHEMES })}
<div class="stack hmac-fields"><p class="hint">The same as in the credential, SHA-256 in hex or base64.</p>
${inputField(form, { name: 'signature_header', label: 'Signature header', maxLength: 100, canBeEmpty: true })}
${inputField(form, { name: 'timestamp_header', label: 'Timestamp header', maxLength: 100, canBeEmpty: true, hint: 'Empty: the signature covers no time.' })}
${inputField(form, { name: 'payload', label: 'Payload', maxLength: 200, canBeEmpty: true, hint: 'What is signed; {body} and {timestamp} stand for themselves.' })}</div></div>`;
