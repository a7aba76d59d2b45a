/**
 * Markup. Only `html` makes it: the field is private to this class, so no other object, and no other type,
 * passes for markup.
 */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text of markup; null for any other value. */
  static textOf(value: object): string | null {
    return #text in value ? value.#text : null;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;

/** What may stand in a template's hole. Nothing is shown for null, undefined and false. */
export type Renderable = Html | string | number | false | null | undefined | readonly Renderable[];

const SPECIAL = /[&<>"']/;
const ENTITY_OF = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
);

/** A loop, because `replace` with a function takes twice as long. */
function escaped(text: string): string {
  const first = text.search(SPECIAL);
  if (first === -1) return text;
  let safe = '';
  let done = 0;
  for (let index = first; index < text.length; index++) {
    const entity = ENTITY_OF.get(text.charAt(index));
    if (entity === undefined) continue;
    safe += text.slice(done, index) + entity;
    done = index + 1;
  }
  return safe + text.slice(done);
}

/**
 * Template tag of markup. Text in its holes is escaped; markup and lists of markup are taken as they are.
 * @throws TypeError for any other value
 */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Html {
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + strings[index + 1];
  return new Markup(text);
}

/** Markup that `@frontdesk/reference` has made, which escapes text by itself; nothing else is taken as it is. */
export const renderedPage = (markup: string): Html => new Markup(markup);

function textOf(value: Renderable): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.reduce<string>((text, part) => text + textOf(part), '');
  const markup = typeof value === 'object' ? Markup.textOf(value) : null;
  if (markup === null)
    throw new TypeError(`html: a placeholder takes markup, text or a number, and got a ${typeof value}.`);
  return markup;
}

/** A page's first line stands before its markup. */
export const documentOf = (markup: Html): string => `<!doctype html>\n${markup}`;
