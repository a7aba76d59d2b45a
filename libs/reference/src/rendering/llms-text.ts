import { type Page, type Reader, SECTIONS, START } from '../page.ts';

/** An index of the pages for language models, as llmstxt.org describes it. */
export function llmsText(pages: readonly Page[], { url }: Pick<Reader, 'url'>): string {
  const linkOf = ({ path, title, summary }: Page) => `- [${title}](${url}/docs/${path}.md): ${summary}`;
  const sections = SECTIONS.map((section) => {
    const links = pages.filter((page) => page.section === section).map(linkOf);
    return `## ${section}\n\n${links.join('\n')}`;
  });
  const summary = pages.find(({ path }) => path === START)?.summary ?? '';
  return `# Frontdesk API

> ${summary}

The base URL is ${url}/api/v1. Each request carries a key: \`Authorization: Bearer <key>\`. The same as OpenAPI 3.1: ${url}/openapi.json

${sections.join('\n\n')}
`;
}
