import { unbroken } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { dateFormat } from '../region/region-formats.rules.ts';
import { documentOf, type Html, html } from '../ui/html.ts';
import type { ComposedEmail } from './email.rules.ts';
import { oneLine, shortLine, wrapped } from './plain-text.rules.ts';

/** A block of an email, in both of its forms. */
interface Block {
  text: string;
  html: Html;
}

/** Mail programs cut longer subjects. */
const LONGEST_SUBJECT = 150;
const LONGEST_NAME = 60;

/** A name of somebody or something, within a sentence. */
export const named = (name: string): string => shortLine(name, LONGEST_NAME);

/** Where an account signs in, within a sentence: at one business, or at several (null). */
export const placeOf = (business: string | null): string =>
  business === null ? 'Frontdesk' : named(business);

export function paragraph(text: string): Block {
  const line = oneLine(text);
  return { text: wrapped(line), html: html`<p style="margin:0 0 16px">${line}</p>` };
}

/** A line for each name and its value. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): Block {
  const lines = rows.map(([name, value]) => [name, oneLine(value)] as const);
  return {
    text: lines.map(([name, value]) => `  ${name}: ${value}`).join('\n'),
    html: html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">
${lines.map(
  ([name, value]) => html`<tr>
<td style="padding:2px 16px 2px 0;vertical-align:top;opacity:0.75">${name}</td>
<td style="padding:2px 0;vertical-align:top;word-break:break-word"><strong>${value}</strong></td>
</tr>
`,
)}</table>`,
  };
}

/** A button, with its address below for programs that show no buttons. */
export const action = (label: string, url: string): Block => ({
  text: `${label}:\n${url}`,
  html: html`<p style="margin:24px 0 8px"><a href="${url}"
style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none"
>${label}</a></p>
<p style="margin:0 0 24px;font-size:13px;word-break:break-all"><a href="${url}">${url}</a></p>`,
});

/** An instant on a business's clocks, with their time zone: its reader may be elsewhere. */
export function timeText(region: Region, at: string): string {
  const { zone: timeZone } = region;
  const format = dateFormat(region, { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${unbroken(format.format(new Date(at)))} (${timeZone})`;
}

interface EmailContent {
  subject: string;
  blocks: readonly Block[];
  /** Why its reader gets it. */
  reason: string;
  expiresAt?: string;
}

/**
 * An email as text and as HTML that say the same. The HTML has no images, and colours only where it has a background of
 * its own, so it is readable on dark as on light.
 */
export function layoutEmail({ subject, blocks, reason, expiresAt }: EmailContent): ComposedEmail {
  const title = shortLine(subject, LONGEST_SUBJECT);
  const why = oneLine(reason);
  const body = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${title}</h1>
${blocks.map((block) => block.html)}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #8a8f98;font-size:13px;opacity:0.75">${why}</p>
</div>
</body>
</html>`;
  return {
    subject: title,
    text: `${[title, ...blocks.map((block) => block.text), '-- ', wrapped(why)].join('\n\n').replace('-- \n\n', '-- \n')}\n`,
    html: documentOf(body),
    expiresAt: expiresAt ?? null,
  };
}
