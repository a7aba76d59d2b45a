import { CALL_PROVIDERS, type CallSource } from '@frontdesk/contracts';
import { sourceFields } from '../domain/call-source-form.ts';
import { PROVIDER_WORDS, sourceAddress } from './call-words.ts';
import { type Html, html } from './html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext, textOf } from './page-context.ts';
import { csrfField, errorId, fieldErrors, formMessage, textInput } from './parts.ts';

const NAME = { name: 'name', label: 'Name', maxLength: 64 } as const;

/** Adds a source. Folded away where there are some already, unless something is wrong with what was sent. */
export const addSourceForm = (context: PageContext, form: FormState, { isOpen }: { isOpen: boolean }): Html =>
  html`<details class="adding"${(isOpen || isSent(form)) && html` open`}><summary>Add a source</summary>
<form method="post" action="/settings/calls/sources" data-inline class="stack">${formMessage(form)}${csrfField(context)}
${providerChoice(form)}
<div class="stack short">${textInput(form, { ...NAME, hint: 'What your calls say they came in by, “Main line” for example.' })}
${textInput(form, {
  ...{ name: 'secret', label: 'Secret', type: 'password', isOptional: true },
  hint: 'Retell: your API key. Twilio: your auth token. Leave it empty for the others: one is made and shown to you.',
})}</div>
<div class="actions"><button type="submit" class="primary">Add source</button></div></form></details>`;

function providerChoice(form: FormState): Html {
  const chosen = textOf(form, 'provider');
  const isWrong = form.errors.provider !== undefined;
  return html`<fieldset${isWrong && html` aria-describedby="${errorId('provider')}"`}><legend>Who sends the calls?</legend>
${CALL_PROVIDERS.map((provider) => {
  const { name, about } = PROVIDER_WORDS[provider];
  return html`<label class="check"><input type="radio" name="provider" value="${provider}" required${provider === chosen && html` checked`}>
<span><strong>${name}</strong><br><span class="hint">${about}</span></span></label>`;
})}${fieldErrors(form, 'provider')}</fieldset>`;
}

/** A source's settings as they are, or as somebody has sent them. */
export const settingsState = (source: CallSource, sent: FormState = EMPTY_FORM): FormState =>
  isSent(sent) ? sent : { ...sent, values: sourceFields(source) };

/** The name and settings of a source. Only Vapi's tell a scheme. */
export const settingsForm = (context: PageContext, id: number, form: FormState): Html =>
  html`<form method="post" action="${sourceAddress(id)}" data-inline class="stack call-settings">
${formMessage(form)}${csrfField(context)}<input type="hidden" name="is_form" value="true">
<div class="short">${textInput(form, NAME)}</div>
${flag(form, 'creates_leads', 'Make an unknown caller a customer, as a lead', 'Whoever is called doesn’t become one.')}
${flag(form, 'classifies_sentiment', 'Work out the sentiment from the customer’s words', 'Where the provider tells none. English only.')}
${'scheme' in form.values && vapiFields(form)}
<div class="actions"><button type="submit" class="primary">Save settings</button></div></form>`;

/** A question with yes or no. */
export const flag = (form: FormState, name: string, label: string, hint: string): Html =>
  html`<div class="flag"><label class="check"><input type="checkbox" name="${name}" value="true"${textOf(form, name) === 'true' && html` checked`}${form.errors[name] !== undefined && html` aria-invalid="true" aria-describedby="${errorId(name)}" data-focus`}>
<span>${label}<br><span class="hint">${hint}</span></span></label>${fieldErrors(form, name)}</div>`;

function vapiFields(form: FormState): Html {
  const isHmac = textOf(form, 'scheme') === 'hmac';
  return html`<div class="stack short"><div class="field"><label for="scheme">Kind of the credential in Vapi</label>
<select id="scheme" name="scheme"><option value="bearer">Bearer Token</option><option value="hmac"${isHmac && html` selected`}>HMAC</option></select>${fieldErrors(form, 'scheme')}</div>
<div class="stack hmac-fields"><p class="hint">The same as in the credential, SHA-256 in hex or base64.</p>
${textInput(form, { name: 'signature_header', label: 'Signature header', maxLength: 100, isOptional: true })}
${textInput(form, { name: 'timestamp_header', label: 'Timestamp header', maxLength: 100, isOptional: true, hint: 'Empty: the signature covers no time.' })}
${textInput(form, { name: 'payload', label: 'Payload', maxLength: 200, isOptional: true, hint: 'What is signed; {body} and {timestamp} stand for themselves.' })}</div></div>`;
}
