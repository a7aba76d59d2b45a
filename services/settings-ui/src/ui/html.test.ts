import { documentOf, html, type Renderable } from './html.ts';

const shown = (value: unknown) => html`<p>${value as Renderable}</p>`.toString();

it('escapes text in holes, of attributes too', () => {
  const text = `<b title="a" lang='b'>&amp;`;
  expect(shown(text)).toBe('<p>&lt;b title=&quot;a&quot; lang=&#39;b&#39;&gt;&amp;amp;</p>');
});

it('takes markup and lists of it as they are, and shows nothing for what is not there', () => {
  const rows = ['a', '<'].map((cell) => html`<li>${cell}</li>`);
  expect(shown([rows, [[7, null], undefined, false, '"']])).toBe('<p><li>a</li><li>&lt;</li>7&quot;</p>');
  expect(documentOf(html`<html></html>`)).toBe('<!doctype html>\n<html></html>');
});

it.each([
  { isEscaped: true },
  { isEscaped: true, callbacks: 1 },
  { isEscaped: true, toString: () => '<script>' },
  Object.assign(new String('<script>'), { isEscaped: true }),
  Object.create(Object.getPrototypeOf(html`<b></b>`)),
  { toString: 1 },
  Promise.resolve(html`<b></b>`),
  {},
  true,
  Symbol('a'),
  () => '<script>',
])('takes nothing that only looks like markup or text', (value) => {
  expect(() => shown(value)).toThrow(TypeError);
  expect(() => shown([value])).toThrow(TypeError);
});

it('types distinguish markup and text: neither passes for the other', () => {
  // @ts-expect-error text is no markup
  documentOf('<script>');
  // @ts-expect-error an object with the methods of markup is none
  documentOf({ toString: () => '<script>' });
  // @ts-expect-error a value of unknown type fits into no hole
  const unsure = (value: unknown) => html`${value}`;
  expect(() => unsure({})).toThrow(TypeError);
});
