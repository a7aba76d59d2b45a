import { badge } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { Segment } from './customers-query.rules.ts';

export const SEGMENT_WORDS: Readonly<Record<Segment, string>> = {
  lead: 'Lead',
  active: 'Active',
  inactive: 'Inactive',
  vip: 'VIP',
};

const SEGMENT_TONES = { lead: 'waiting', active: 'good', inactive: 'off' } as const;

export const segmentBadge = (segment: Segment): Html =>
  segment === 'vip'
    ? html`<span class="badge vip">${SEGMENT_WORDS.vip}</span>`
    : badge(SEGMENT_TONES[segment], SEGMENT_WORDS[segment]);

/** Where customers come from; what integrators call it stays as it is. */
const SOURCES: Readonly<Record<string, string>> = {
  api: 'API',
  call: 'Phone call',
  front_desk: 'Front desk',
};

export const sourceWords = (source: string): string =>
  Object.hasOwn(SOURCES, source) ? (SOURCES[source] ?? source) : source;

export const emailLink = (email: string): Html =>
  html`<a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${email}</a>`;
