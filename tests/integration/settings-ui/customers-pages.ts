import type { Browser } from './inject-browser.ts';

export const CUSTOMERS = '/settings/customers';

let lastNumber = 100;
/** A customer with a number of their own. @returns the id */
export async function add(browser: Browser, fields: object = {}): Promise<number> {
  lastNumber += 1;
  const body = { name: 'Ben Adler', phone: `+49 30 23125 ${lastNumber}`, ...fields };
  const answer = await browser.json('POST', `${CUSTOMERS}/new`, body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return answer.body.data.id;
}

/** As people read it. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<\/?bdi>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
