import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RULES_OF: Record<Scheme, axe.RunOnly> = {
  light: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  // A scheme has colours of its own, and nothing else.
  dark: { type: 'rule', values: ['color-contrast'] },
};

type Scheme = 'light' | 'dark';

/** A width, and in which schemes axe looks at it. */
export interface View {
  width: number;
  schemes: readonly Scheme[];
}

/** Two phones and a desk. Pages between them have the same parts in fewer columns: other tests look whether they are too wide. */
const VIEWS: View[] = [
  { width: 320, schemes: ['light', 'dark'] },
  { width: 390, schemes: ['light', 'dark'] },
  { width: 1280, schemes: ['light', 'dark'] },
  // No style begins above 1280 px: there is only more room.
  { width: 1920, schemes: [] },
];

/**
 * What is wrong with the page as it is, in one line each: what axe finds at each width and in each scheme, and a page that people
 * must scroll sideways to read. Afterwards it is light again, and as wide as it was.
 */
export async function faultsOf(page: Page, views: readonly View[] = VIEWS): Promise<string[]> {
  const own = page.viewportSize();
  const faults: string[] = [];
  for (const { width, schemes } of views) {
    await page.setViewportSize({ width, height: own?.height ?? 800 });
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      faults.push(...(await axeFindings(page, RULES_OF[scheme])).map(at(`${scheme}, ${width} px`)));
    }
    if (await isTooWide(page)) faults.push(`${width} px: too wide`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (own) await page.setViewportSize(own);
  return faults;
}

/** `state`: what the page shows, for the one who reads of a fault. */
export async function expectNoFaults(page: Page, state: string): Promise<void> {
  expect([state, await faultsOf(page)]).toEqual([state, []]);
}

function at(condition: string) {
  return (finding: string) => `${condition}: ${finding}`;
}

async function axeFindings(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

const isTooWide = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
