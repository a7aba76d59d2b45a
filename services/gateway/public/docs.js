// Pages work without this. With it, examples can be copied, and a key leads into the search.
const SAID_FOR_MS = 2_000;

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const name = button.firstChild;
  if (!name) return;
  const said = await navigator.clipboard.writeText(button.dataset.copy ?? '').then(
    () => 'Copied',
    () => 'Copy it by hand',
  );
  name.textContent = said;
  setTimeout(() => {
    name.textContent = 'Copy';
  }, SAID_FOR_MS);
}

// The key / leads into the search, unless one is typing.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { target } = event;
  if (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  )
    return;
  const field = document.querySelector('[data-search]');
  if (!(field instanceof HTMLInputElement)) return;
  event.preventDefault();
  field.focus();
  field.select();
});
