import type { FieldFault } from '@frontdesk/contracts';
import { type FieldKind, faultText } from '../forms/fault-words.rules.ts';
import { MOST_OF_TIME, timeText } from '../region/read-time.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { type Html, html, type Renderable } from './html.ts';
import { EMPTY_FORM, type FormState, textOf, textsOf } from './page-context.ts';

/** A field by its name. Where two forms of a page have one of the same name, `id` distinguishes them. */
interface Named {
  name: string;
  id?: string;
}

/** What all fields have. */
interface Field extends Named {
  label: Renderable;
  hint?: Renderable;
  isOptional?: boolean;
  /** It may be left empty too, and its hint or the form says what that means. */
  canBeEmpty?: boolean;
}

interface Choice {
  value: string;
  label: Renderable;
  hint?: Renderable;
}

const idOf = ({ id, name }: Named) => id ?? name;

const isWrong = (form: FormState, { name }: Named) => (form.faults[name] ?? []).length > 0;

/** What ties a field, or a group of them, to its hint and to what is wrong with it. */
export const describedBy = (form: FormState, field: Named & Pick<Field, 'hint'>): Html | false => {
  const id = idOf(field);
  const ids = [field.hint && `${id}-hint`, isWrong(form, field) && `${id}-error`].filter(Boolean).join(' ');
  return ids !== '' && html` aria-describedby="${ids}"`;
};

const ties = (form: FormState, field: Field): Html =>
  html`${describedBy(form, field)}${isWrong(form, field) && html` aria-invalid="true" data-focus`}`;

const hintOf = (field: Field): Html | false =>
  Boolean(field.hint) && html`<p class="hint" id="${idOf(field)}-hint">${field.hint}</p>`;

/** What is wrong with a field, beside it. */
export const fieldErrors = (form: FormState, field: Named, kind?: FieldKind): Html | false =>
  isWrong(form, field) &&
  html`<p class="error" id="${idOf(field)}-error">${form.faults[field.name]?.map(
    (fault, index) => html`${index > 0 && ' '}${faultWords(fault, kind)}`,
  )}</p>`;

/** Who has a number already is a click away. */
const faultWords = (fault: FieldFault, kind: FieldKind | undefined): Renderable =>
  typeof fault !== 'string' && fault.reason === 'phone_taken'
    ? html`This number belongs to <a href="/settings/customers/${fault.customer.id}">${fault.customer.name}</a>.`
    : faultText(fault, kind);

const labelled = (form: FormState, field: Field, control: Html): Html =>
  html`<div class="field"><label for="${idOf(field)}">${field.label}${
    field.isOptional && html` <span class="optional">optional</span>`
  }</label>
${hintOf(field)}${control}${fieldErrors(form, field)}</div>`;

const required = ({ isOptional, canBeEmpty }: Field): Html | false =>
  !isOptional && !canBeEmpty && html` required`;

/**
 * Of a field that somebody else has changed too: the choice, in its place. `wordsOf` says a value as people know it.
 */
export function clashChoice(
  form: FormState,
  field: Field,
  wordsOf: (value: string) => Renderable = (value) => value,
): Html | null {
  const clash = form.clashes?.[field.name];
  if (!clash) return null;
  const shown = (value: string) => html`<strong>${value === '' ? 'nothing' : wordsOf(value)}</strong>`;
  return radioGroup(EMPTY_FORM, {
    name: field.name,
    label: field.label,
    choices: [
      { value: clash.mine, label: html`Yours: ${shown(clash.mine)}` },
      { value: clash.theirs, label: html`Theirs: ${shown(clash.theirs)}` },
    ],
  });
}

interface InputField extends Field {
  type?: 'text' | 'tel' | 'password' | 'date' | 'datetime-local';
  autocomplete?: string;
  placeholder?: string;
  maxLength?: number;
  min?: string;
  /** The server may write what was typed otherwise: see settings.js. */
  isTime?: boolean;
  /** Which keys a phone shows. */
  inputMode?: 'decimal' | 'email' | 'numeric';
  /** Offered while people type; anything else can be typed as well. */
  suggestions?: readonly string[];
}

/**
 * A labelled input of one line. Whether what it holds is right is for the server to say: nothing that was typed is lost
 * by asking, passwords excepted.
 */
export function inputField(form: FormState, field: InputField): Html {
  const choice = clashChoice(form, field);
  if (choice) return choice;
  const {
    name,
    type = 'text',
    autocomplete = 'off',
    placeholder,
    maxLength,
    min,
    isTime,
    inputMode,
    suggestions,
  } = field;
  return labelled(
    form,
    field,
    html`<input id="${idOf(field)}" name="${name}" type="${type}"
autocomplete="${autocomplete}"${type === 'text' && html` spellcheck="false"`}
${required(field)}${placeholder && html` placeholder="${placeholder}"`}${maxLength && html` maxlength="${maxLength}"`}
${min !== undefined && html` min="${min}"`}${isTime && html` data-time`}${inputMode && html` inputmode="${inputMode}"`}
${
  suggestions && html` list="${idOf(field)}-list"`
}${ties(form, field)} value="${type === 'password' ? '' : textOf(form, name)}">
${
  suggestions &&
  html`<datalist id="${idOf(field)}-list">${suggestions.map(
    (value) => html`<option value="${value}"></option>`,
  )}</datalist>`
}`,
  );
}

/**
 * A whole number. As text: browsers' own fields for numbers drop a comma, and change when somebody scrolls over them.
 */
export const numberInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, inputMode: 'numeric' });

/** An amount of money, for the same reasons as text. */
export const amountInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, inputMode: 'decimal' });

/** An e-mail address. As text: browsers' own fields for it refuse international ones, or send them in another form. */
export const emailInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, inputMode: 'email' });

export const dateInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, type: 'date' });

/** A clock time. As text: browsers' own fields write it as the person's device does, not as the business's country. */
export const timeInput = (
  region: Region,
  form: FormState,
  field: Omit<InputField, 'type' | 'isTime' | 'placeholder' | 'maxLength'>,
): Html => {
  const value = timeText(region, textOf(form, field.name));
  const shown = { ...form, values: { ...form.values, [field.name]: value } };
  const placeholder = timeText(region, '14:00');
  return inputField(shown, { ...field, placeholder, maxLength: MOST_OF_TIME, isTime: true });
};

interface TextArea extends Field {
  maxLength?: number;
  rows?: number;
  /** Browsers neither remember it nor have its spelling checked by others. */
  isSecret?: boolean;
}

export const textArea = (form: FormState, field: TextArea): Html =>
  clashChoice(form, field) ??
  labelled(
    form,
    field,
    html`<textarea id="${idOf(field)}" name="${field.name}" rows="${field.rows ?? 3}"${required(field)}${field.isSecret && html` autocomplete="off" spellcheck="false"`}
${field.maxLength && html` maxlength="${field.maxLength}"`}${ties(form, field)}>${textOf(form, field.name)}</textarea>`,
  );

interface ChoiceField extends Field {
  choices: readonly Choice[];
  /** The class of the group. */
  look?: string;
}

const choiceWords =
  ({ choices }: ChoiceField) =>
  (value: string): Renderable =>
    choices.find((choice) => choice.value === value)?.label ?? value;

export const selectInput = (form: FormState, field: ChoiceField): Html =>
  clashChoice(form, field, choiceWords(field)) ??
  labelled(
    form,
    field,
    html`<select id="${idOf(field)}" name="${field.name}"${ties(form, field)}>${options(
      field.choices,
      textOf(form, field.name),
    )}</select>`,
  );

export const options = (choices: readonly Choice[], chosen: string): Html[] =>
  choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );

/** A question with yes or no. Its hint belongs to what it is called. */
export const flagInput = (form: FormState, { hint, ...field }: Field): Html =>
  html`<div class="flag"><label class="check"><input type="checkbox" name="${field.name}" value="true"${
    textOf(form, field.name) === 'true' && html` checked`
  }${ties(form, field)}>
<span>${field.label}${hint && html`<span class="hint">${hint}</span>`}</span></label>${fieldErrors(form, field)}</div>`;

/** One of several, all in sight. */
export const radioGroup = (form: FormState, field: ChoiceField): Html =>
  clashChoice(form, field, choiceWords(field)) ?? choiceGroup(form, field, 'radio');

/** Any of several. */
export const checkboxGroup = (form: FormState, field: ChoiceField): Html =>
  choiceGroup(form, field, 'checkbox');

function choiceGroup(form: FormState, field: ChoiceField, type: 'radio' | 'checkbox'): Html {
  const chosen = textsOf(form, field.name);
  const must = type === 'radio' && required(field);
  return html`<fieldset class="choices${field.look && ` ${field.look}`}"${describedBy(form, field)}><legend>${field.label}</legend>${hintOf(field)}
${field.choices.map(
  ({ value, label, hint }) =>
    html`<label class="check"><input type="${type}" name="${field.name}" value="${value}"${
      chosen.includes(value) && html` checked`
    }${must}>
<span>${label}${hint && html`<span class="hint">${hint}</span>`}</span></label>`,
)}${fieldErrors(form, field, type === 'radio' ? 'chosen' : 'ticked')}</fieldset>`;
}
