import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../scripts/bootstrap/chromium.js';
import { type Business, createBusiness } from '../e2e/support/business.ts';
import { type LocalSystem, startLocalSystem } from '../e2e/support/local-system.ts';
import { type Target, targetOf } from '../e2e/support/target.ts';

export const PASSWORD = 'three calm walruses';

export interface Look {
  colorScheme: 'light' | 'dark';
  width: 390 | 1280;
}

/** Whatever a page complains about by itself; answers of 4xx are not among it. */
const isComplaint = (text: string) => !text.startsWith('Failed to load resource');

/** The real system, and a real browser to look at it with. */
export async function startBrowserWorld() {
  const system: LocalSystem = await startLocalSystem();
  const target: Target = targetOf(system);
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath(process.env) ?? 'chromium',
    // Chromium's own sandbox doesn't work for root, as whom containers and CI run.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const complaints: string[] = [];

  const newPage = async (look: Look = { colorScheme: 'light', width: 1280 }): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: system.urls.settingsUi,
      colorScheme: look.colorScheme,
      viewport: { width: look.width, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && isComplaint(message.text())) complaints.push(message.text());
    });
    return page;
  };

  return {
    target,
    complaints,
    newPage,
    /** A business with an admin. */
    async newBusiness(name: string): Promise<Business & { email: string }> {
      const business = await createBusiness(target, name);
      const email = `admin-${business.tenant.id}@salon.example`;
      const account = ['--email', email, '--password', PASSWORD];
      await target.operator.json(['user', 'create', '--tenant', String(business.tenant.id), ...account]);
      return { ...business, email };
    },
    async signIn(page: Page, email: string): Promise<Page> {
      await page.goto('/settings/api');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'API and webhooks' }).waitFor();
      return page;
    },
    async stop() {
      await browser.close();
      await target.close();
    },
  };
}
