// The calendar with a mouse: a free time is chosen to the step, and an appointment is dragged to another time or another person.

/** Nearer than this, in pixels, a press is a click. */
const DRAGGED_FROM = 5;
/** How tall a free time is shown that is pointed at. */
const POINTED_HEIGHT = 38;
/** Near the edges of the window a drag scrolls it. */
const EDGE = 48;
const SCROLLED = 16;

/** @typedef {{ y: number, time: string, clock: string }} Start where in a column bookings may begin; `clock` is the time as it is shown */
/** @typedef {{ column: SVGElement, y: number, time: string, clock: string }} Place */
/** @typedef {{ link: SVGElement, version: string, from: Place, x: number, y: number, grabbed: number, height: number, place: Place | null, isMoved: boolean }} Drag */

/** @type {Drag | null} */
let drag = null;
/** Whether people are asked about a drag that is over: what they are asked about stays to be seen. */
let isAsking = false;
const ghost = Object.assign(document.createElement('div'), { className: 'ghost', hidden: true });
ghost.ariaHidden = 'true';
document.body.append(ghost);

document.addEventListener('pointerdown', (event) => {
  const link = /** @type {Element} */ (event.target).closest('a[data-version]');
  const column = link?.closest('.plan-column');
  if (event.pointerType !== 'mouse' || event.button !== 0 || !(link instanceof SVGElement)) return;
  if (!(column instanceof SVGElement)) return;
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
  if (drag === null) return point(event);
  const { clientX: x, clientY: y } = event;
  if (Math.hypot(x - drag.x, y - drag.y) < DRAGGED_FROM && !drag.isMoved) return;
  drag.isMoved = true;
  drag.link.ariaBusy = 'true';
  if (y < EDGE) scrollBy(0, -SCROLLED);
  if (y > innerHeight - EDGE) scrollBy(0, SCROLLED);
  const column = columnAt(x, y);
  drag.place = column && nearest(column, y - column.getBoundingClientRect().top - drag.grabbed);
  if (drag.place) show(drag.place, drag.height, `${drag.place.clock} ${drag.link.dataset.what}`, 'moving');
  else ghost.hidden = true;
});

document.addEventListener('pointerup', () => {
  const done = drag;
  if (!done?.isMoved) return end();
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, { capture: true }));
  const { link, version, from, place } = done;
  const isElsewhere = place && (place.column !== from.column || place.time !== from.time);
  if (!isElsewhere) return end();
  drag = null;
  isAsking = true;
  // calendar-move.js asks, and lets the link go.
  const detail = { link, version, from: targetOf(from), to: targetOf(place) };
  document.dispatchEvent(new CustomEvent('appointmentmoved', { detail }));
});

document.addEventListener('pointercancel', end);
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

/** @param {SVGElement} column @returns {Start[]} */
const startsOf = (column) =>
  (column.dataset.grid ?? '')
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
  ghost.className = `ghost ${kind}`;
  ghost.textContent = text;
  Object.assign(ghost.style, {
    left: `${left + 2}px`,
    top: `${top + y + 1}px`,
    width: `${width - 4}px`,
    height: `${height - 2}px`,
  });
  ghost.hidden = false;
}

/** @param {Place} place @returns {import('./calendar-move.js').Target} */
function targetOf({ column: { dataset }, time, clock }) {
  const { date = '', day, staff = '', who } = dataset;
  return { date, time, staff, words: `${day}, ${clock}, ${who}` };
}
