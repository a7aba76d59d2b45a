import { NO_REGION } from '../region/region.rules.ts';
import { barChart } from './bars.view.ts';
import { BOTTOM, type Chart, HEIGHT, TOP } from './chart.rules.ts';
import { lineChart } from './lines.view.ts';

const chartOf = (...values: (number | null)[][]): Chart => ({
  region: NO_REGION,
  name: 'Calls <by> day',
  columnsAre: 'Day',
  columns: (values[0] ?? []).map((_, index) => ({ name: `Day ${index}`, label: `${index}` })),
  series: values.map((own, index) => ({
    name: `Series ${index}`,
    tone: index ? 'bad' : 'main',
    values: own,
  })),
  format: String,
});

const barsOf = (markup: string) =>
  [
    ...markup.matchAll(
      /<rect class="area \w+" x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"/g,
    ),
  ].map((match) => match.slice(1).map(Number) as [x: number, y: number, width: number, height: number]);

it('bars stand on zero, each as high as its value, on top of one another', () => {
  const bars = barsOf(barChart(chartOf([4, 2], [0, 2])).toString());
  expect(bars).toHaveLength(3);
  const [first, second, third] = bars.map(([, y, , height]) => ({ y, height, foot: y + height }));
  expect(first?.foot).toBeCloseTo(BOTTOM);
  expect(second?.foot).toBeCloseTo(BOTTOM);
  expect(first?.height).toBeCloseTo(2 * (second?.height ?? 0));
  expect(third?.foot).toBeCloseTo(second?.y ?? 0);
  expect(first?.y).toBeCloseTo(third?.y ?? 0);
});

it('what is little is still to be seen, and nothing is not', () => {
  const heights = barsOf(barChart(chartOf([1_000_000, 1, 0])).toString()).map(([, , , height]) => height);
  expect(heights).toEqual([expect.any(Number), 2]);
});

it('ticks are whole numbers, whatever the values', () => {
  for (const most of [0, 1, 2, 3, 7, 99, 12_345]) {
    const markup = barChart(chartOf([most])).toString();
    const [scale = ''] = markup.split('</svg>');
    const ticks = [...scale.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(ticks[0]).toBe('0');
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(new Set(ticks).size).toBe(ticks.length);
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
  }
});

it('lines stay within the plot, leave gaps, and show what stands alone', () => {
  const markup = lineChart(chartOf([12, null, 0.4, 90_000], [null, null, null, 5])).toString();
  const heights = [...markup.matchAll(/[ML][\d.]+,([\d.]+)/g)].map(([, y]) => Number(y));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(TOP);
  expect(Math.max(...heights)).toBeLessThanOrEqual(BOTTOM);
  expect(markup.match(/<path class="dots bad" d="M[\d.]+,[\d.]+h0"/)).not.toBeNull();
  expect(markup).not.toMatch(/NaN|Infinity|undefined/);
});

it('everything is in a table as well, escaped, and no style stands in the markup', () => {
  const markup = barChart(chartOf([4, 2], [1, 0])).toString();
  expect(markup).toContain('Calls &lt;by&gt; day');
  expect(markup).not.toContain('<by>');
  expect(markup.match(/<tr>/g)).toHaveLength(3);
  expect(markup).toContain('<tr><th scope="row">Day 0</th><td>4</td><td>1</td></tr>');
  expect(markup).toContain('<title>Day 0\nSeries 0: 4\nSeries 1: 1</title>');
  expect(markup).not.toMatch(/\sstyle=/);
  expect(markup).toContain(`height="${HEIGHT}"`);
});
