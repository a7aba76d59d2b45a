import axe from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = [320, 390, 1280, 1920];

/**
 * What is wrong with the page as it is, in one line each: what axe finds in both schemes and at each width, and a page that people
 * must scroll sideways to read. Afterwards it is light again, and as wide as it was.
 */
export async function faultsOf(page: Page, widths: readonly number[] = WIDTHS): Promise<string[]> {
  const own = page.viewportSize();
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: own?.height ?? 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    faults.push(...(await axeFindings(page, { type: 'tag', values: RULES })).map(at(`light, ${width} px`)));
    if (await isTooWide(page)) faults.push(`${width} px: too wide`);
    // A scheme has other colours, and nothing else that is its own.
    await page.emulateMedia({ colorScheme: 'dark' });
    const ofColours = await axeFindings(page, { type: 'rule', values: ['color-contrast'] });
    faults.push(...ofColours.map(at(`dark, ${width} px`)));
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
