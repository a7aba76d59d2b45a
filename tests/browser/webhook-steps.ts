import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import type { BusinessOfAdmin } from './browser-world.ts';

/** Adds an endpoint for new appointments, on the page about the API. */
export async function addEndpoint(page: Page, url: string) {
  await page.getByLabel('URL').fill(url);
  await page.getByRole('checkbox', { name: 'a new appointment is booked' }).check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Copy it now').waitFor();
}

/** Books so many appointments, by the API. */
export async function book(business: BusinessOfAdmin, count: number, phone = '+49 30 901820') {
  const slots = await freeSlots(business, 2);
  const customer = await createCustomer(business.api, 'Mia Wong', phone);
  // The first ones apart from each other: visits are longer than the step of the slots.
  for (const slot of slots.filter((_slot, index) => index % 4 === 0).slice(0, count)) {
    const body = bookingOf(slot, customer.id, business.serviceId);
    expect((await business.api('POST', '/appointments', { body })).status).toBe(201);
  }
}
