import { html as taggedHtml } from 'hono/html';

/** Markup, as `html` makes it; everything else that is put into markup is text and gets escaped. */
export type Html = Awaited<ReturnType<typeof taggedHtml>>;

/** What may stand in a template's hole. Nothing is shown for null, undefined and false. */
export type Renderable = string | number | false | null | undefined | readonly Renderable[];

/** Markup with holes: text in them is escaped, markup and lists of it are taken as they are. */
export const html = (strings: TemplateStringsArray, ...values: Renderable[]): Html =>
  // Only promises in its holes make it answer a promise, and none fits into ours.
  taggedHtml(strings, ...values) as Html;

/** A page's first line stands before its markup. */
export const documentOf = (markup: Html): string => `<!doctype html>\n${markup}`;
