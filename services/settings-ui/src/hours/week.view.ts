import type { WeeklyHours } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { capitalised, durationText } from '../region/words.rules.ts';
import { type Html, html } from '../ui/html.ts';
import {
  type DayPicture,
  type Frame,
  type Place,
  type WeekPicture,
  weekPicture,
} from './week-picture.rules.ts';

const LINE_HEIGHT = 26;

/** The seven days as lines of time: what is worked, and the breaks between. The text beside says the same. */
export function weekFigure(
  region: Region,
  hours: WeeklyHours,
  { caption, off }: { caption: string; off: string },
): Html {
  const picture = weekPicture(region, hours);
  return html`<figure class="week"><figcaption>${caption} <span class="hint">${
    picture.totalMinutes === 0 ? 'No hours' : `${durationText(picture.totalMinutes)} a week`
  }</span></figcaption>
<ul>${picture.days.map((day) => dayLine(day, picture, off))}</ul>${axis(picture)}</figure>`;
}

const dayLine = ({ day, stretches, breaks, text }: DayPicture, { marks }: WeekPicture, off: string): Html =>
  html`<li><span class="day-name">${capitalised(day)}</span>
<svg class="line" width="100%" height="${LINE_HEIGHT}" aria-hidden="true" focusable="false">
<rect class="ground" width="100%" height="${LINE_HEIGHT}" rx="5"/>
${marks.slice(1, -1).map(({ x }) => html`<line class="mark" x1="${x}%" x2="${x}%" y1="0" y2="${LINE_HEIGHT}"/>`)}
${breaks.map((place) => rect('break', place))}${stretches.map((place) => rect('work', place))}</svg>
<span class="spans">${text || html`<span class="off">${off}</span>`}</span></li>`;

const rect = (kind: 'work' | 'break', { x, width }: Place): Html =>
  kind === 'work'
    ? html`<rect class="work" x="${x}%" width="${width}%" y="3" height="${LINE_HEIGHT - 6}" rx="4"/>`
    : html`<rect class="break" x="${x}%" width="${width}%" y="${LINE_HEIGHT / 2 - 2}" height="4"/>`;

const axis = ({ marks }: WeekPicture): Html =>
  html`<svg class="axis" width="100%" height="18" aria-hidden="true" focusable="false">${marks.map(
    ({ x, text }) => html`<text x="${x}%" y="13" text-anchor="middle">${text}</text>`,
  )}</svg>`;

/** The same, small: for a list. */
export function weekStrip(region: Region, hours: WeeklyHours, frame: Frame): Html {
  const { days } = weekPicture(region, hours, frame);
  return html`<svg class="strip" width="100%" height="${days.length * 5}" aria-hidden="true"
focusable="false">${days.map(
    ({ stretches }, index) =>
      html`<rect class="ground" width="100%" y="${index * 5}" height="4"/>${stretches.map(
        ({ x, width }) => html`<rect class="work" x="${x}%" width="${width}%" y="${index * 5}" height="4"/>`,
      )}`,
  )}</svg>`;
}
