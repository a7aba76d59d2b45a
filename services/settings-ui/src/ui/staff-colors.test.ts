import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STAFF_COLORS } from '@frontdesk/contracts';
import { LOOK_FILE } from '@frontdesk/reference';

const STYLES = join(import.meta.dirname, '..', '..', 'public', 'styles');
const css = ['staff-colors.css', 'plan-appointments.css'].map((file) =>
  readFileSync(join(STYLES, file), 'utf8'),
);
const [people = '', tiles = ''] = css;
const look = readFileSync(LOOK_FILE, 'utf8');

type Rgb = number[];
type Scheme = 'light' | 'dark';

/** WCAG: text, and what only has to be made out. */
const [TEXT, SHAPE] = [4.5, 3];

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Of the look's two blocks, the first is light. */
function lookColor(name: string, scheme: Scheme): Rgb {
  const all = [...look.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, hex = '']) => hex);
  expect(all).toHaveLength(2);
  return rgb(all[scheme === 'light' ? 0 : 1] ?? '');
}

function personColor(name: string, scheme: Scheme): Rgb {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(people);
  expect(people).toContain(`[data-color="${name}"] {\n  --person: var(--${name});`);
  return rgb(found?.[scheme === 'light' ? 1 : 2] ?? '');
}

/** How much of the person's colour a tile has. */
function shareOf(property: string): number {
  const [, share = ''] =
    new RegExp(`--${property}: color-mix\\(in srgb, var\\(--own\\) (\\d+)%, var\\(--surface\\)\\)`).exec(
      tiles,
    ) ?? [];
  expect(share).not.toBe('');
  return Number(share) / 100;
}

const mixed = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((value, index) => value * share + (b[index] ?? 0) * (1 - share));

function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  it.each(STAFF_COLORS)('text on a tile, initials and edges in %s can be read', (name) => {
    const own = personColor(name, scheme);
    const [surface, text, onAccent] = ['surface', 'text', 'on-accent'].map((color) =>
      lookColor(color, scheme),
    ) as [Rgb, Rgb, Rgb];
    for (const ground of ['ground', 'pointed'])
      expect(contrast(text, mixed(own, surface, shareOf(ground)))).toBeGreaterThanOrEqual(TEXT);
    // What the list of a phone says beside the name.
    for (const beside of ['soft', 'accent'])
      expect(
        contrast(lookColor(beside, scheme), mixed(own, surface, shareOf('ground'))),
      ).toBeGreaterThanOrEqual(TEXT);
    expect(contrast(onAccent, own)).toBeGreaterThanOrEqual(TEXT);
    for (const ground of ['surface', 'ground', 'raised'])
      expect(contrast(own, lookColor(ground, scheme))).toBeGreaterThanOrEqual(SHAPE);
  });
});
