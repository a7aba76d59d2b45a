// Parts of a page that follow what happens: each [data-live] names the stream of its markup, or of several parts' by their ids.

/** @type {EventSource[]} */
let streams = [];
/** What people or scripts have changed about an element stays as it is. */
const KEPT = ['open', 'aria-busy', 'data-typed'];

document.addEventListener('pageshown', follow);
document.addEventListener('visibilitychange', follow);
// calendar-move.js doesn't wait for the stream to show what it has changed.
document.addEventListener('partfetched', (event) => {
  const { part, markup } = /** @type {CustomEvent} */ (event).detail;
  show(part, markup);
});
follow();

/** Follows all parts of the page while somebody looks. */
function follow() {
  for (const stream of streams) stream.close();
  const parts = document.hidden ? [] : [...document.querySelectorAll('[data-live]')];
  streams = parts.map(streamOf);
}

/** @param {Element} part */
function streamOf(part) {
  const stream = new EventSource(part.getAttribute('data-live') ?? '');
  stream.addEventListener('message', ({ data }) => {
    const markup = JSON.parse(data);
    if (typeof markup === 'string') return show(part, markup);
    for (const [id, markupOfPart] of Object.entries(markup)) show(document.getElementById(id), markupOfPart);
  });
  return stream;
}

/** @param {Element | null} part @param {string} markup */
function show(part, markup) {
  if (!part) return;
  const fresh = document.createElement('template');
  fresh.innerHTML = markup;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  update(part, fresh.content);
  if (focused && !focused.isConnected) document.getElementById('main')?.focus();
  announce(part);
}

/** Announces the part's news to screen readers. @param {Element} part */
function announce(part) {
  const news = part.querySelector('[data-news]')?.getAttribute('data-news');
  const said = document.getElementById('live-news');
  if (said && news && said.textContent !== news) said.textContent = news;
}

/**
 * Makes what is within `shown` the same as what is within `fresh`. Nodes that are in both stay, and with them the focus, what is
 * typed, opened or scrolled. Elements with ids are the same where their ids are.
 * @param {Node} shown @param {Node} fresh
 */
function update(shown, fresh) {
  let place = shown.firstChild;
  for (const node of [...fresh.childNodes]) {
    const same = findSame(node, place);
    if (!same) {
      shown.insertBefore(node, place);
      continue;
    }
    if (same !== place) shown.insertBefore(same, place);
    place = same.nextSibling;
    if (same instanceof Element && node instanceof Element) updateElement(same, node);
    else same.nodeValue = node.nodeValue;
  }
  while (place) {
    const next = place.nextSibling;
    place.parentNode?.removeChild(place);
    place = next;
  }
}

/** @param {Node} node @param {Node | null} place where it would stand @returns {Node | null} */
function findSame(node, place) {
  const id = idOf(node);
  for (let other = place; other; other = other.nextSibling) {
    if (other.nodeName === node.nodeName && idOf(other) === id) return other;
    if (id === '') return null;
  }
  return null;
}

/** @param {Node} node */
const idOf = (node) => (node instanceof Element ? node.id : '');

/** @param {Element} shown @param {Element} fresh */
function updateElement(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  for (const { name, value } of [...fresh.attributes])
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const { name } of [...shown.attributes])
    if (!fresh.hasAttribute(name) && !KEPT.includes(name)) shown.removeAttribute(name);
  update(shown, fresh);
}
