import { escapeMarkdown } from './markdown.ts';
import { renderHtml } from './render-html.ts';

const htmlOf = (markdown: string, path = 'lists') => renderHtml(markdown, { path, base: '/docs' }).html;

it('shows markup as text, wherever it stands', () => {
  const html = htmlOf(
    '<script>x</script>\n\nA <b>word</b>\n\n```sh <i>\n<u>\n```\n\n| <s> |\n|---|\n| <s> |\n',
  );
  expect(html).not.toMatch(/<(script|b|i|u|s)>/);
});

it('shows the text of others as it is', () => {
  const name = '[x](javascript:alert(1)) **b** <b>`c`</b> ![i](https://example.com) | # y\n- z';
  const html = htmlOf(`A key “${escapeMarkdown(name)}”.`);
  expect(html).not.toMatch(/<(a|b|code|img|strong|li|h1)\b/);
  expect(html).toContain('[x](javascript:alert(1)) **b** &lt;b&gt;`c`&lt;/b&gt;');
});

it('links lead to pages, from whatever page they stand on', () => {
  expect(htmlOf('[a](errors/not_found.md#cause)')).toContain('href="/docs/errors/not_found#cause"');
  expect(htmlOf('[a](../index.md)', 'errors/not_found')).toContain('href="/docs"');
  expect(htmlOf('[a](/llms.txt) [b](https://example.com) [c](#d)')).toMatch(
    /href="\/llms.txt".*href="https:\/\/example.com".*href="#d"/,
  );
});
