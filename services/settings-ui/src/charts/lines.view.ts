import { scaleBand, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { type Html, html } from '../ui/html.ts';
import { BOTTOM, type Chart, rounded, type Series, TOP } from './chart.rules.ts';
import { chartFrame, columnArea } from './frame.view.ts';

/** Positive values as lines over powers of ten: a usual one and a rare one ten times as large are both to be read. */
export function lineChart(chart: Chart): Html {
  const { columns, series, format } = chart;
  const values = series.flatMap((one) =>
    one.values.filter((value) => value !== null && value > 0),
  ) as number[];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const lowest = Math.floor(Math.log10(least));
  const highest = Math.max(Math.ceil(Math.log10(most)), lowest + 1);
  const y = scaleLog()
    .domain([10 ** lowest, 10 ** highest])
    .range([BOTTOM, TOP]);
  const x = scaleBand<number>()
    .domain(columns.map((_, index) => index))
    .range([0, 100]);
  const centre = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2;

  const path = line<number | null>()
    .defined((value) => value !== null && value > 0)
    .x((_, index) => rounded(centre(index)))
    .y((value) => rounded(y(value ?? 1)));
  const exponents = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
  return chartFrame(chart, {
    isLines: true,
    ticks: exponents.map((exponent) => ({ y: y(10 ** exponent), text: format(10 ** exponent) })),
    centre,
    marks: html`${columns.map(
      (_, index) => html`<g>${columnArea(chart, index, { x: x(index) ?? 0, width: x.bandwidth() })}</g>`,
    )}
<svg viewBox="0 0 100 ${BOTTOM}" preserveAspectRatio="none" width="100%" height="${BOTTOM}">${series.map(
      (one) =>
        html`<path class="line ${one.tone}" d="${path([...one.values])}"/>
<path class="dots ${one.tone}" d="${dots(one, centre, y)}"/>`,
    )}</svg>`,
  });
}

/** Lines of no length, which have round ends: dots that no stretching makes oval. */
const dots = ({ values }: Series, centre: (index: number) => number, y: (value: number) => number): string =>
  values
    .flatMap((value, index) =>
      value !== null && value > 0 ? [`M${rounded(centre(index))},${rounded(y(value))}h0`] : [],
    )
    .join('');
