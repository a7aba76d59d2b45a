import { type Html, html } from '../ui/html.ts';
import { BOTTOM, type Chart, type Column, HEIGHT, rounded, TOP, type Tone } from './chart.rules.ts';

export interface Tick {
  y: number;
  text: string;
}

const SCALE_WIDTH = 44;
const TEXT_MIDDLE = 4;

/**
 * A plot with its axes, what its marks mean, and all of it as a table. Across it is measured in per cent, so that it
 * fits any width without its text being stretched; upwards in pixels.
 * @param options.centre the middle of a column in per cent
 */
export function chartFrame(
  chart: Chart,
  options: { ticks: readonly Tick[]; centre: (index: number) => number; marks: Html; isLines?: boolean },
): Html {
  const { ticks, centre, marks, isLines = false } = options;
  const kind = isLines ? 'line' : 'area';
  return html`<figure class="chart">
<div class="plot" role="img" aria-label="${chart.name}. All values are in the table below.">
<svg class="scale" width="${SCALE_WIDTH}" height="${HEIGHT}" aria-hidden="true">${ticks.map(
    ({ y, text }) => html`<text x="${SCALE_WIDTH - 8}" y="${rounded(y) + TEXT_MIDDLE}">${text}</text>`,
  )}</svg>
<svg class="marks" width="100%" height="${HEIGHT}" aria-hidden="true">${ticks.map(
    ({ y }) => html`<line class="grid" x1="0" x2="100%" y1="${rounded(y)}" y2="${rounded(y)}"/>`,
  )}
${marks}
${chart.columns.map((column, index) => columnLabel(column, centre(index)))}</svg></div>
<ul class="legend">${chart.series.map(
    ({ name, tone }) =>
      html`<li><svg class="key" width="18" height="12" aria-hidden="true">${
        isLines
          ? html`<line class="${kind} ${tone}" x1="1" x2="17" y1="6" y2="6"/>`
          : html`<rect class="${kind} ${tone}" x="3" y="1" width="11" height="10" rx="2"${fillOf(tone)}/>`
      }</svg>${name}</li>`,
  )}</ul>
${table(chart)}</figure>`;
}

/** Stands once on a page that has plots. */
export const chartPatterns = (): Html =>
  html`<svg class="patterns" width="0" height="0" aria-hidden="true">
<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect class="hatch" width="5" height="5"/><path d="M1.5,0v5"/></pattern></svg>`;

/** Colours come by class; a pattern is named here, since a style sheet would look for it in itself. */
export const fillOf = (tone: Tone): Html | false => tone === 'bad' && html` fill="url(#hatch)"`;

const columnLabel = ({ label, isMarked }: Column, x: number): Html | false =>
  label !== undefined &&
  html`<text class="${isMarked ? 'label marked' : 'label'}" x="${rounded(x)}%" y="${BOTTOM + 18}">${label}</text>`;

/** The whole of a column, which says what it stands for when pointed at, behind its marks. */
export const columnArea = (chart: Chart, index: number, { x, width }: { x: number; width: number }): Html => {
  const column = chart.columns[index] as Column;
  return html`<title>${readOut(chart, column, index)}</title>
<rect class="${column.isMarked ? 'hit here' : 'hit'}" x="${rounded(x)}%" y="${TOP}"
width="${rounded(width)}%" height="${BOTTOM - TOP}"/>`;
};

/** What a column says. */
const readOut = ({ series, format }: Chart, { name }: Column, index: number): string => {
  const values = series.map((one) => `${one.name}: ${valueText(one.values[index] ?? null, format)}`);
  return [name, ...values].join('\n');
};

const valueText = (value: number | null, format: Chart['format']): string =>
  value === null ? 'none' : format(value);

const table = ({ name, columnsAre, columns, series, format }: Chart): Html =>
  html`<details class="values"><summary>Show as a table<span class="for-reader">: ${name}</span></summary>
<div class="scroll" tabindex="0" role="region" aria-label="Table: ${name}"><table>
<thead><tr><th scope="col">${columnsAre}</th>${series.map((one) => html`<th scope="col">${one.name}</th>`)}</tr></thead>
<tbody>${columns.map(
    (column, index) =>
      html`<tr><th scope="row">${column.name}</th>${series.map(
        ({ values }) => html`<td>${valueText(values[index] ?? null, format)}</td>`,
      )}</tr>`,
  )}</tbody></table></div></details>`;
