// Finds customers while their name or number is typed. Without it, the form's own button does.

const AFTER_LAST_KEY_MS = 250;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** The question that is being asked. @type {AbortController | undefined} */
let asking;

document.addEventListener('input', ({ target }) => {
  const finding = /** @type {Element} */ (target).closest('[data-find]');
  if (!finding || !(target instanceof HTMLInputElement) || target.type !== 'search') return;
  clearTimeout(timer);
  asking?.abort();
  // A customer who was found by the shorter text is no longer chosen.
  const chosen = finding.querySelector('input:checked');
  if (chosen instanceof HTMLInputElement) chosen.checked = false;
  timer = setTimeout(() => void find(finding, target.value.trim()), AFTER_LAST_KEY_MS);
});

// Enter books nobody whom only the script has chosen: it leads to them, and the next one books.
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.type !== 'search') return;
  const finding = target.closest('[data-find]');
  if (!finding) return;
  event.preventDefault();
  const chosen = finding.querySelector('input:checked');
  if (chosen instanceof HTMLInputElement) chosen.focus();
  else finding.querySelector('button')?.click();
});

// Who is chosen is no new customer: what was filled in for one goes.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'customer_id' || !target.form) return;
  fillIn(target.form, '');
});

/** @param {Element} finding @param {string} text */
async function find(finding, text) {
  asking = new AbortController();
  try {
    const address = `${finding.getAttribute('data-find')}?q=${encodeURIComponent(text)}`;
    const headers = { accept: 'application/json' };
    const answer = await fetch(address, { headers, signal: asking.signal });
    if (answer.ok) show(finding, text, (await answer.json()).data);
    else say(finding, 'Customers can’t be found right now. Press Find to try again.');
  } catch (error) {
    if (!(error instanceof DOMException))
      say(finding, 'Customers can’t be found right now. Press Find to try again.');
  }
}

/** @typedef {{ id: number, name: string, phone_text: string, email: string | null, is_similar: boolean, no_shows_text: string }} Customer */

/** @param {Element} finding @param {string} text @param {Customer[]} all */
function show(finding, text, all) {
  // Nobody with a similar name is chosen by itself.
  const customers = all.filter(({ is_similar }) => !is_similar);
  const similar = all.filter(({ is_similar }) => is_similar);
  const list = finding.querySelector('.candidates');
  const found = finding.querySelector('[name=found]');
  const form = finding.closest('form');
  if (!list || !(found instanceof HTMLInputElement) || !form) return;
  found.value = text;
  const legend = list.querySelector('legend');
  const heading = Object.assign(document.createElement('p'), {
    className: 'similar',
    textContent: 'Similar names',
  });
  list.replaceChildren(
    ...(legend ? [legend] : []),
    ...customers.map(choice),
    ...(similar.length > 0 ? [heading] : []),
    ...similar.map(choice),
  );
  list.toggleAttribute('hidden', all.length === 0);
  const [first] = list.querySelectorAll('input');
  if (customers.length === 1 && first) first.checked = true;
  fillIn(form, customers.length === 0 ? text : '');
  say(finding, wordsFor(text, customers.length, similar.length));
}

/** @param {string} text @param {number} count @param {number} similar */
function wordsFor(text, count, similar) {
  if (text === '') return '';
  if (count === 0 && similar > 0)
    return 'No customer found. Choose one with a similar name, or add a new one below.';
  if (count === 0) return 'No customer found. Add a new one below.';
  return count === 1 ? '1 customer found, and chosen.' : `${count} customers found. Choose one:`;
}

/** @param {Element} finding @param {string} words */
function say(finding, words) {
  const said = finding.querySelector('[role=status]');
  if (said) said.textContent = words;
}

/** @param {Customer} customer */
function choice({ id, name, phone_text: phone, email, no_shows_text: noShows }) {
  const label = Object.assign(document.createElement('label'), { className: 'check' });
  const radio = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'customer_id',
    value: id,
  });
  const words = document.createElement('span');
  const reach = [phone, email].filter(Boolean).join(' · ');
  const missed = Object.assign(document.createElement('span'), {
    className: 'badge bad',
    textContent: noShows,
  });
  words.append(
    name,
    ...(noShows ? [' ', missed] : []),
    Object.assign(document.createElement('span'), { className: 'hint', textContent: reach }),
  );
  label.append(radio, words);
  return label;
}

/** What this script put into the fields of a new customer. What people type there stays. */
let filledIn = '';

/** Begins a new customer with the text: a number, or a name. @param {HTMLFormElement} form @param {string} text */
function fillIn(form, text) {
  const [name, phone] = ['name', 'phone'].map((field) => form.elements.namedItem(field));
  if (!(name instanceof HTMLInputElement) || !(phone instanceof HTMLInputElement)) return;
  for (const field of [name, phone]) if (field.value === filledIn) field.value = '';
  filledIn = text;
  const details = name.closest('details');
  if (text !== '') {
    const field = /\d/.test(text) ? phone : name;
    if (field.value === '') field.value = text;
  }
  details?.toggleAttribute('open', name.value !== '' || phone.value !== '');
}
