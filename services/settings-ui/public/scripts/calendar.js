// The calendar with a mouse: a free time is chosen to the step, or a stretch of it by a drag, and an appointment is dragged to another
// time or another person. With a finger, days are swiped.

/** Nearer than this, in pixels, a press is a click. */
const DRAGGED_FROM = 5;
/** How tall a free time is shown that is pointed at. */
const POINTED_HEIGHT = 38;
/** Near the edges of the plan, or of the window, a drag scrolls it. */
const EDGE = 48;
const SCROLLED = 16;

/** @typedef {{ y: number, time: string, clock: string }} Start where in a column bookings may begin; `clock` is the time as it is shown */
/** @typedef {{ column: SVGElement, y: number, time: string, clock: string }} Place */
/** @typedef {{ link: SVGElement, version: string, from: Place, x: number, y: number, grabbed: number, height: number, place: Place | null, isMoved: boolean }} Drag */

/** A stretch that is being chosen: between where it was pressed, `y`, and where the mouse is. @typedef {{ column: SVGElement, x: number, y: number, from: Start | null, until: Start | null }} Choice */

/** @type {Drag | null} */
let drag = null;
/** @type {Choice | null} */
let choice = null;
/** Whether people are asked about a drag that is over: what they are asked about stays to be seen. */
let isAsking = false;
const ghost = Object.assign(document.createElement('div'), { className: 'ghost', hidden: true });
ghost.ariaHidden = 'true';
document.body.append(ghost);

// A plan begins at its first opening hour; what is earlier is above.
for (const plan of document.querySelectorAll('.plan[data-first]'))
  plan.scrollTop = Number(plan.getAttribute('data-first'));

for (const button of document.querySelectorAll('[data-print]')) {
  button.removeAttribute('hidden');
  button.addEventListener('click', () => print());
}

// The list opens below the plan, which fills the window.
document.addEventListener('click', ({ target }) => {
  const toggle = /** @type {Element} */ (target).closest?.('.list-toggle');
  if (toggle instanceof HTMLDetailsElement && !toggle.open)
    toggle.addEventListener('toggle', () => document.querySelector('.day-list')?.scrollIntoView(), {
      once: true,
    });
});

document.addEventListener('pointerdown', (event) => {
  if (event.pointerType !== 'mouse' || event.button !== 0 || isAsking) return;
  const pressed = /** @type {Element} */ (event.target);
  const link = pressed.closest('a[data-version]');
  const column = pressed.closest('.plan-column');
  if (!(column instanceof SVGElement)) return;
  if (!(link instanceof SVGElement)) return begin(event, column);
  const { top, height } = boxOf(link);
  const { time = '', clock = '' } = link.dataset;
  const from = { column, y: top - column.getBoundingClientRect().top, time, clock };
  // Of what people see as they press. live.js may show a later one in the same link.
  const { version = '' } = link.dataset;
  const { clientX: x, clientY: y } = event;
  drag = { link, version, from, x, y, grabbed: y - top, height, place: null, isMoved: false };
});

document.addEventListener('pointermove', (event) => {
  if (event.pointerType !== 'mouse' || isAsking) return;
  if (choice) return choose(choice, event);
  if (drag === null) return point(event);
  const { clientX: x, clientY: y } = event;
  if (Math.hypot(x - drag.x, y - drag.y) < DRAGGED_FROM && !drag.isMoved) return;
  drag.isMoved = true;
  drag.link.ariaBusy = 'true';
  scrollNear(drag.from.column, y);
  const column = columnAt(x, y);
  drag.place = column && nearest(column, y - column.getBoundingClientRect().top - drag.grabbed);
  if (drag.place) show(drag.place, drag.height, `${drag.place.clock} ${drag.link.dataset.what}`, 'moving');
  else ghost.hidden = true;
});

document.addEventListener('pointerup', () => {
  if (choice?.from && choice.until) return chosen(choice.column, choice.from, choice.until);
  const done = drag;
  if (!done?.isMoved) return end();
  stopClick();
  const { link, version, from, place } = done;
  const isElsewhere = place && (place.column !== from.column || place.time !== from.time);
  if (!isElsewhere) return end();
  drag = null;
  isAsking = true;
  // calendar-move.js asks, and lets the link go.
  const detail = { link, version, from: targetOf(from), to: targetOf(place) };
  document.dispatchEvent(new CustomEvent('appointmentmoved', { detail }));
});

/** What is free is chosen from here on. What stands there is pressed. @param {PointerEvent} event @param {SVGElement} column */
function begin({ target, clientX: x, clientY }, column) {
  const link = /** @type {Element} */ (target).closest('a');
  if (column.dataset.grid === undefined || (link && !link.matches('.free'))) return;
  choice = { column, x, y: clientY - column.getBoundingClientRect().top, from: null, until: null };
}

/** @param {Choice} choice @param {PointerEvent} event */
function choose(choice, { clientX: x, clientY }) {
  const { column } = choice;
  const y = clientY - column.getBoundingClientRect().top;
  if (Math.hypot(x - choice.x, y - choice.y) < DRAGGED_FROM && !choice.from) return;
  scrollNear(column, clientY);
  const marks = [...startsOf(column), ...startsOf(column, 'end')];
  const [first, last] = [Math.min(y, choice.y), Math.max(y, choice.y)];
  const from = marks.slice(0, -1).findLast((mark) => mark.y <= first) ?? marks[0];
  if (!from) return;
  choice.from = from;
  choice.until = marks.find((mark) => mark.y >= last && mark.y > from.y) ?? marks.at(-1) ?? from;
  const { y: end, clock } = choice.until;
  show({ column, ...from }, end - from.y, `${from.clock} – ${clock}`, 'choosing');
}

/** calendar-block.js asks what is to become of it. @param {SVGElement} column @param {Start} from @param {Start} until */
function chosen(column, from, until) {
  stopClick();
  choice = null;
  isAsking = true;
  const { off, date, day, staff, who } = column.dataset;
  const detail = { off, date, day, staff, who, time: from.time, from: from.clock, until: until.clock };
  document.dispatchEvent(new CustomEvent('timechosen', { detail }));
}

/** The end of a drag presses nothing. */
function stopClick() {
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, { capture: true }));
}

/** @param {SVGElement} column @param {number} y */
function scrollNear(column, y) {
  const plan = column.closest('.plan');
  if (!plan) return;
  const { top, bottom } = plan.getBoundingClientRect();
  const by = y < Math.max(0, top) + headOf(plan) + EDGE ? -SCROLLED : SCROLLED;
  if (by < 0 || y > Math.min(innerHeight, bottom) - EDGE) plan.scrollBy(0, by);
  if (y < EDGE) scrollBy(0, -SCROLLED);
  if (y > innerHeight - EDGE) scrollBy(0, SCROLLED);
}

/** How much of a plan its heads cover. @param {Element} plan */
const headOf = (plan) => plan.querySelector('.plan-head')?.getBoundingClientRect().height ?? 0;

document.addEventListener('pointercancel', end);
// What is pointed at has gone on below the mouse.
document.addEventListener(
  'scroll',
  () => {
    if (!drag && !choice && !isAsking) ghost.hidden = true;
  },
  { capture: true, passive: true },
);
document.addEventListener('moveended', end);
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') end();
});
// Links are dragged by browsers too.
document.addEventListener('dragstart', (event) => {
  if (/** @type {Element} */ (event.target).closest?.('.plan a')) event.preventDefault();
});

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

function end() {
  drag?.link.removeAttribute('aria-busy');
  drag = null;
  choice = null;
  isAsking = false;
  ghost.hidden = true;
}

/** @param {Element} link */
const boxOf = (link) => (link.querySelector('.box') ?? link).getBoundingClientRect();

/** @param {number} x @param {number} y @returns {SVGElement | null} */
function columnAt(x, y) {
  const column = document.elementFromPoint(x, y)?.closest('.plan-column[data-grid]');
  return column instanceof SVGElement ? column : null;
}

/** Where bookings may begin, or the `end` of what is drawn. @param {SVGElement} column @param {'grid' | 'end'} name @returns {Start[]} */
const startsOf = (column, name = 'grid') =>
  (column.dataset[name] ?? '')
    .split('|')
    .map((start) => start.split(' '))
    .map(([y, time = '', ...clock]) => ({ y: Number(y), time, clock: clock.join(' ') }));

/** @param {SVGElement} column @param {number} y @returns {Place | null} */
function nearest(column, y) {
  const [first, ...rest] = startsOf(column);
  if (!first?.time) return null;
  const start = rest.reduce(
    (best, other) => (Math.abs(other.y - y) < Math.abs(best.y - y) ? other : best),
    first,
  );
  return { column, ...start };
}

/** A free time is booked from where the mouse points at. @param {PointerEvent} event */
function point({ target, clientY }) {
  const link = /** @type {Element} */ (target).closest?.('a.free');
  const column = link?.closest('.plan-column');
  ghost.hidden = !(column instanceof SVGElement);
  if (!link || !(column instanceof SVGElement)) return;
  const { top } = column.getBoundingClientRect();
  const free = link.getBoundingClientRect();
  const [first, last] = [free.top - top - 1, clientY - top];
  const start = startsOf(column).findLast(({ y }) => first <= y && y <= Math.max(last, first + 1));
  if (!start) return;
  const address = new URL(link.getAttribute('href') ?? '', location.href);
  address.searchParams.set('time', start.time);
  link.setAttribute('href', address.pathname + address.search);
  const height = Math.min(POINTED_HEIGHT, free.bottom - top - start.y);
  show({ column, ...start }, height, `+ ${start.clock}`, 'pointing');
}

/** @param {Place} place @param {number} height @param {string} text @param {string} kind */
function show({ column, y }, height, text, kind) {
  const { left, top, width } = column.getBoundingClientRect();
  const plan = column.closest('.plan');
  if (!plan) return;
  // Only what is in sight of it, below the names.
  const seen = plan.getBoundingClientRect();
  const first = Math.max(top + y + 1, seen.top + headOf(plan));
  const last = Math.min(top + y + height - 1, seen.bottom);
  ghost.className = `ghost ${kind}`;
  ghost.textContent = text;
  Object.assign(ghost.style, {
    left: `${left + 2}px`,
    top: `${first}px`,
    width: `${width - 4}px`,
    height: `${Math.max(0, last - first)}px`,
  });
  ghost.hidden = false;
}

/** @param {Place} place @returns {import('./calendar-move.js').Target} */
function targetOf({ column: { dataset }, time, clock }) {
  const { date = '', day, staff = '', who } = dataset;
  return { date, time, staff, words: `${day}, ${clock}, ${who}` };
}

/** Of a swipe, in pixels: from here on it leads to another day. */
const SWIPED = 64;
/** @type {{ x: number, y: number } | null} */
let touched = null;

document.addEventListener('pointerdown', ({ pointerType, target, clientX: x, clientY: y, isPrimary }) => {
  const isSwipe =
    pointerType === 'touch' && isPrimary && /** @type {Element} */ (target).closest('.day-list');
  touched = isSwipe ? { x, y } : null;
});
document.addEventListener('pointermove', ({ clientX }) => {
  const calendar = document.getElementById('calendar');
  if (touched && calendar) calendar.style.translate = `${(clientX - touched.x) / 3}px`;
});
document.addEventListener('pointerup', ({ clientX: x, clientY: y }) => {
  const by = touched ? x - touched.x : 0;
  const isLevel = touched !== null && Math.abs(by) > 2 * Math.abs(y - touched.y);
  letGo();
  if (!isLevel || Math.abs(by) < SWIPED) return;
  const link = document.querySelector(`.dates a[rel=${by < 0 ? 'next' : 'prev'}]`);
  if (link instanceof HTMLElement) link.click();
});
document.addEventListener('pointercancel', letGo);
addEventListener('pageshow', letGo);

function letGo() {
  touched = null;
  const calendar = document.getElementById('calendar');
  if (calendar) calendar.style.translate = '';
}
