import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../bootstrap/chromium.js';

/** What pages of this repository show, as docs/images/<name>.png. */
const PAGES = [
  { name: 'today', path: '/settings' },
  { name: 'calendar', path: '/settings/calendar' },
];
const MAX_BYTES = 350_000;
const VIEWPORT = { width: 1280, height: 800 };
/** What is further down a long page is left out. */
const LONGEST = 2_000;

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
    for (const page of PAGES) await takePicture(browser, page, options);
  } finally {
    await browser.close();
  }
}

async function takePicture(
  browser: Browser,
  { name, path }: (typeof PAGES)[number],
  { settingsUrl, admin, directory, onTaken }: Parameters<typeof takePictures>[0],
): Promise<void> {
  const context = await browser.newContext({
    baseURL: settingsUrl,
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
  });
  const signedIn = await context.request.post('/settings/sign-in', { data: admin });
  if (!signedIn.ok()) throw new Error(`Signing in answered ${signedIn.status()}.`);
  const page = await context.newPage();
  // Pages that follow something live never come to rest.
  const answer = await page.goto(path, { waitUntil: 'load' });
  if (answer?.status() !== 200) throw new Error(`${path} answered ${answer?.status()}.`);
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width: VIEWPORT.width, height: Math.min(full, LONGEST) };
  const picture = await page.screenshot({ fullPage: true, clip, animations: 'disabled' });
  await context.close();
  const file = `${name}.png`;
  if (picture.length > MAX_BYTES)
    throw new Error(`${file} takes ${picture.length} bytes, more than the ${MAX_BYTES} that are allowed.`);
  await writeFile(join(directory, file), picture);
  onTaken(file);
}
