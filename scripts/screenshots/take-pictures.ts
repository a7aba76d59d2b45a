import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../bootstrap/chromium.js';
import { PAGES, type PicturedPage } from './pages.ts';

const MAX_BYTES = 350_000;
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** What is further down a long page is left out. */
const LONGEST = 2_000;
const LONGEST_PHONE = 4_000;

interface View {
  suffix: string;
  colorScheme: 'light' | 'dark';
  viewport: typeof WIDE;
}

const LIGHT: View = { suffix: '', colorScheme: 'light', viewport: WIDE };
const DARK: View = { suffix: '-dark', colorScheme: 'dark', viewport: WIDE };
const ON_PHONE: View = { suffix: '-phone', colorScheme: 'light', viewport: PHONE };

const viewsOf = ({ dark = false, phone = false }: PicturedPage): View[] => [
  LIGHT,
  ...(dark ? [DARK] : []),
  ...(phone ? [ON_PHONE] : []),
];

/** Signs in and writes a picture of each page. @throws Error where a page answers no 200, or a picture is too large */
export async function takePictures(options: {
  settingsUrl: string;
  admin: { email: string; password: string };
  directory: string;
  onTaken: (file: string) => void;
}): Promise<void> {
  await mkdir(options.directory, { recursive: true });
  const browser = await chromium.launch({
    executablePath: chromiumPath(process.env) ?? 'chromium',
    // Chromium's own sandbox doesn't work for root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    for (const page of PAGES)
      for (const view of viewsOf(page)) await takePicture(browser, page, view, options);
  } finally {
    await browser.close();
  }
}

async function takePicture(
  browser: Browser,
  { name, path, isForEverybody = false }: PicturedPage,
  { suffix, ...view }: View,
  { settingsUrl, admin, directory, onTaken }: Parameters<typeof takePictures>[0],
): Promise<void> {
  const context = await browser.newContext({ baseURL: settingsUrl, ...view, reducedMotion: 'reduce' });
  if (!isForEverybody) {
    const answer = await context.request.post('/settings/sign-in', { data: admin });
    if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}.`);
  }
  const page = await context.newPage();
  // Pages that follow something live never come to rest.
  const answer = await page.goto(path, { waitUntil: 'load' });
  if (answer?.status() !== 200) throw new Error(`${path} answered ${answer?.status()}.`);
  const { width } = view.viewport;
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  const height = Math.min(full, width === PHONE.width ? LONGEST_PHONE : LONGEST);
  const clip = { x: 0, y: 0, width, height };
  const picture = await page.screenshot({ fullPage: true, clip, animations: 'disabled' });
  await context.close();
  const file = `${name}${suffix}.png`;
  if (picture.length > MAX_BYTES)
    throw new Error(`${file} takes ${picture.length} bytes, more than the ${MAX_BYTES} that are allowed.`);
  await writeFile(join(directory, file), picture);
  onTaken(file);
}
