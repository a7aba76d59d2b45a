export { type ExampleRecords, type FreeTimes, SHOWN_RECORDS } from './example-command.ts';
export { pageAddress } from './links.ts';
export { llmsText } from './llms-text.ts';
export { LOOK_FILE } from './look.ts';
export { navigationOf } from './navigation.ts';
export { type Page, type Reader, START } from './page.ts';
export { createPages } from './pages.ts';
export { escapeHtml, type RenderedPage, renderHtml } from './render-html.ts';
