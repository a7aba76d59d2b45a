import type { Browser } from './inject-browser.ts';

type Fields = Record<string, string[]>;

const TEXT: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_match, name) => TEXT[name] ?? '');
const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : plain(value);
};

/** What a browser would send of a form of a page, as it was drawn. */
export function fieldsOf(page: string, formId: string): Fields {
  const form = page.split(`id="${formId}"`)[1]?.split('</form>')[0];
  if (form === undefined) throw new Error(`no form ${formId}`);
  const fields: Fields = {};
  const add = (name: string | undefined, value: string) => {
    if (name !== undefined && name !== '_csrf') fields[name] = [...(fields[name] ?? []), value];
  };
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const isBox = /type="(checkbox|radio)"/.test(tag);
    if (!isBox || / checked/.test(tag)) add(attribute(tag, 'name'), attribute(tag, 'value') ?? '');
  }
  for (const [, tag = '', text = ''] of form.matchAll(/(<textarea\b[^>]*>)([^<]*)<\/textarea>/g))
    add(attribute(tag, 'name'), plain(text));
  for (const [, tag = '', body = ''] of form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)) {
    const [chosen = ''] = /<option [^>]* selected>/.exec(body) ?? [];
    add(attribute(tag, 'name'), attribute(chosen, 'value') ?? '');
  }
  return fields;
}

/** The values that a page offers of a field to be chosen: one’s own, and theirs. */
export const choicesOf = (page: string, name: string): string[] =>
  [...page.matchAll(new RegExp(`<input type="radio" name="${name}" value="([^"]*)"`, 'g'))].map(
    ([, value = '']) => plain(value),
  );

/** Where a page's forms send their changes to, and the names of the fields that people see in each. */
export const formsOf = (page: string): { action: string; names: string[] }[] =>
  page.split('<form ').flatMap((rest) => {
    const [tag = '', ...markup] = (rest.split('</form>')[0] ?? '').split('>');
    const fields = markup.join('>').matchAll(/<(?:input|select|textarea)\b[^>]*>/g);
    const names = [...fields].flatMap(([field]) =>
      / type="hidden"| hidden/.test(field) ? [] : (attribute(field, 'name') ?? []),
    );
    return tag.startsWith('method="post"')
      ? [{ action: attribute(` ${tag}`, 'action') ?? '', names: [...new Set(names)] }]
      : [];
  });

/** What a page says was wrong. */
export const refusalsIn = (page: string): string[] =>
  [...page.matchAll(/<p class="(?:error|notice bad)"[^>]*>([\s\S]*?)<\/p>/g)].map(([, text = '']) =>
    plain(text),
  );

/** The token of a form as the page has drawn it. */
export async function tokenIn(browser: Browser, page: string, action: string): Promise<string> {
  const form = (await browser.html(page)).page.split(`action="${action}"`)[1]?.split('</form>')[0] ?? '';
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(form) ?? [];
  expect(token).not.toBe('');
  return token;
}
