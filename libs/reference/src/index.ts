export { type ExampleRecords, type FreeTimes, SHOWN_RECORDS } from './examples/example-command.ts';
export { type Page, type Reader, START } from './page.ts';
export { createPages } from './pages.ts';
export { pageAddress } from './rendering/links.ts';
export { llmsText } from './rendering/llms-text.ts';
export { LOOK_FILE } from './rendering/look.ts';
export { table as markdownTable } from './rendering/markdown.ts';
export { navigationOf } from './rendering/navigation.ts';
export { escapeHtml, type RenderedPage, renderHtml } from './rendering/render-html.ts';
