import { type Html, html, type Renderable } from './html.ts';
import { type FormState, textOf, textsOf } from './page-context.ts';

/** What all fields have. Where two forms of a page have a field of one name, `id` tells them apart. */
interface FieldOf {
  name: string;
  label: Renderable;
  id?: string;
  hint?: Renderable;
  isOptional?: boolean;
}

export interface Choice {
  value: string;
  label: Renderable;
  hint?: Renderable;
}

const idOf = ({ id, name }: FieldOf) => id ?? name;

const isWrong = (form: FormState, { name }: FieldOf) => form.errors[name] !== undefined;

/** What ties a field to its hint and to what is wrong with it. */
const described = (form: FormState, field: FieldOf): Html | false => {
  const id = idOf(field);
  const ids = [field.hint && `${id}-hint`, isWrong(form, field) && `${id}-error`].filter(Boolean).join(' ');
  return ids !== '' && html` aria-describedby="${ids}"`;
};

const ties = (form: FormState, field: FieldOf): Html =>
  html`${described(form, field)}${isWrong(form, field) && html` aria-invalid="true" data-focus`}`;

const hintOf = (field: FieldOf): Html | false =>
  Boolean(field.hint) && html`<p class="hint" id="${idOf(field)}-hint">${field.hint}</p>`;

const errorsOf = (form: FormState, field: FieldOf): Html | false => {
  const errors = form.errors[field.name] ?? [];
  return errors.length > 0 && html`<p class="error" id="${idOf(field)}-error">${errors.join(' ')}</p>`;
};

const labelled = (form: FormState, field: FieldOf, control: Html): Html =>
  html`<div class="field"><label for="${idOf(field)}">${field.label}${field.isOptional && html` <span class="optional">optional</span>`}</label>
${hintOf(field)}${control}${errorsOf(form, field)}</div>`;

interface InputField extends FieldOf {
  type?: 'text' | 'number' | 'time' | 'date';
  placeholder?: string;
  maxLength?: number;
  min?: number | string;
  max?: number;
  step?: number | string;
}

/** A labelled input of one line. Whether what it holds is right is for the server to say: nothing is lost by asking. */
export function inputField(form: FormState, field: InputField): Html {
  const { name, type = 'text', placeholder, maxLength, min, max, step } = field;
  return labelled(
    form,
    field,
    html`<input id="${idOf(field)}" name="${name}" type="${type}" autocomplete="off"
${!field.isOptional && html` required`}${placeholder && html` placeholder="${placeholder}"`}${maxLength && html` maxlength="${maxLength}"`}
${min !== undefined && html` min="${min}"`}${max !== undefined && html` max="${max}"`}${step !== undefined && html` step="${step}"`}
${ties(form, field)} value="${textOf(form, name)}">`,
  );
}

export const numberInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, type: 'number' });

export const dateInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, type: 'date' });

export const timeInput = (form: FormState, field: Omit<InputField, 'type'>): Html =>
  inputField(form, { ...field, type: 'time' });

export const textArea = (form: FormState, field: FieldOf & { maxLength?: number; rows?: number }): Html =>
  labelled(
    form,
    field,
    html`<textarea id="${idOf(field)}" name="${field.name}" rows="${field.rows ?? 3}"${!field.isOptional && html` required`}
${field.maxLength && html` maxlength="${field.maxLength}"`}${ties(form, field)}>${textOf(form, field.name)}</textarea>`,
  );

export const selectInput = (form: FormState, field: FieldOf & { choices: readonly Choice[] }): Html =>
  labelled(
    form,
    field,
    html`<select id="${idOf(field)}" name="${field.name}"${ties(form, field)}>${options(field.choices, textOf(form, field.name))}</select>`,
  );

export const options = (choices: readonly Choice[], chosen: string): Html[] =>
  choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );

/** One of several, all in sight. */
export const radioGroup = (form: FormState, field: FieldOf & { choices: readonly Choice[] }): Html =>
  choiceGroup(form, field, 'radio');

/** Any of several. */
export const checkboxGroup = (form: FormState, field: FieldOf & { choices: readonly Choice[] }): Html =>
  choiceGroup(form, field, 'checkbox');

function choiceGroup(
  form: FormState,
  field: FieldOf & { choices: readonly Choice[] },
  type: 'radio' | 'checkbox',
): Html {
  const chosen = textsOf(form, field.name);
  return html`<fieldset class="choices"${described(form, field)}><legend>${field.label}</legend>${hintOf(field)}
${field.choices.map(
  ({ value, label, hint }) =>
    html`<label class="check"><input type="${type}" name="${field.name}" value="${value}"${chosen.includes(value) && html` checked`}>
<span>${label}${hint && html`<span class="hint">${hint}</span>`}</span></label>`,
)}${errorsOf(form, field)}</fieldset>`;
}
