import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { openTarget } from '../e2e/support/target.ts';
import { createClientBusiness } from '../integration/client/client-business.ts';
import { inBrowser, TAKEN_STEPS } from '../integration/client/first-steps.ts';
import { createProject, type Project } from '../integration/client/project.ts';
import { sharedSystem } from '../support/index.ts';
import { servePage } from './serve-page.ts';

let project: Project;
beforeAll(async () => {
  project = await createProject();
});
afterAll(() => project?.remove());

it('a page in a browser books with the packed client, from its modules as they are', async () => {
  const target = await openTarget();
  const { apiKey } = await createClientBusiness(target);
  const { origin, close } = await servePage(
    join(project.directory, 'node_modules/@frontdesk/client/dist/esm'),
    {
      gatewayUrl: target.gatewayUrl,
    },
  );
  const browser = await chromium.connect((await sharedSystem()).browser);
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const steps = inBrowser({ baseUrl: origin, apiKey, phone: '+49 30 901844' });
    expect(await page.evaluate(steps)).toEqual(TAKEN_STEPS);
  } finally {
    await browser.close();
    await close();
  }
});
