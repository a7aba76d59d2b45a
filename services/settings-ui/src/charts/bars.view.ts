import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { shortCount } from '../region/words.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { BOTTOM, type Chart, rounded, type Series, TOP } from './chart.rules.ts';
import { chartFrame, columnArea, fillOf } from './frame.view.ts';

const TICKS = 3;
/** Whatever there is can be seen, however little it is beside the rest. */
const LEAST_HEIGHT = 2;

/** Counts as bars that stand on zero, the series of a column on top of one another. */
export function barChart(chart: Chart): Html {
  const { region, columns, series } = chart;
  const layers = stack<number, Series>()
    .keys(series)
    .value((index, { values }) => values[index] ?? 0)(columns.map((_, index) => index));
  const most = Math.max(1, ...layers.flatMap((layer) => layer.map(([, end]) => end)));
  const y = scaleLinear().domain([0, most]).nice(TICKS).range([BOTTOM, TOP]);
  const x = scaleBand<number>()
    .domain(columns.map((_, index) => index))
    .range([0, 100])
    .paddingInner(0.28)
    .paddingOuter(0.14);
  const left = (index: number) => x(index) ?? 0;

  const bar = (layer: (typeof layers)[number], index: number) => {
    const [start, end] = layer[index] as [number, number];
    if (start === end) return false;
    const height = Math.max(y(start) - y(end), LEAST_HEIGHT);
    const { tone } = layer.key;
    const place = html`x="${rounded(left(index))}%" y="${rounded(y(start) - height)}"`;
    const size = html`width="${rounded(x.bandwidth())}%" height="${rounded(height)}"`;
    return html`<rect class="area ${tone}" ${place} ${size} rx="2"${fillOf(tone)}/>`;
  };
  const area = (index: number) => ({ x: left(index) - (x.step() - x.bandwidth()) / 2, width: x.step() });
  return chartFrame(chart, {
    ticks: y
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ y: y(value), text: shortCount(region, value) })),
    centre: (index) => left(index) + x.bandwidth() / 2,
    marks: html`${columns.map(
      (_, index) =>
        html`<g>${columnArea(chart, index, area(index))}${layers.map((layer) => bar(layer, index))}</g>`,
    )}`,
  });
}
