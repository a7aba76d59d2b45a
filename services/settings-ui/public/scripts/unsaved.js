// Marks forms that differ from how they were drawn, and asks before they are left. Without scripts, browsers leave at once.

document.addEventListener('input', ({ target }) => {
  const form = /** @type {Element} */ (target).closest('form');
  if (!form) return;
  delete form.dataset.sent;
  form.toggleAttribute('data-typed', [...form.elements].some(differs));
});

// What is sent without a script isn't lost; other forms of the page are.
document.addEventListener('submit', ({ target }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  if (!form.matches('[data-inline]')) form.dataset.sent = '';
});

addEventListener('beforeunload', (event) => {
  if (hasUnsaved(document)) event.preventDefault();
});

// Only a part of the page shows something else then: see side-panel.js.
document.addEventListener('leaving', (event) => {
  const isLost = hasUnsaved(/** @type {Element} */ (event.target));
  if (isLost && !confirm('What you entered is not saved yet. Leave it?')) event.preventDefault();
});

/** @param {ParentNode} part */
function hasUnsaved(part) {
  const forms = /** @type {NodeListOf<HTMLFormElement>} */ (
    part.querySelectorAll('form:is([data-typed], [data-unsaved]):not([data-sent])')
  );
  return [...forms].some(isChange);
}

/** Whether it changes something of a session, and is in sight. @param {HTMLFormElement} form */
const isChange = (form) => form.elements.namedItem('_csrf') !== null && !form.closest('dialog:not([open])');

/** @param {Element} field */
function differs(field) {
  if (field instanceof HTMLSelectElement) {
    const drawn = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(drawn, 0);
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
  return /^(checkbox|radio)$/.test(field.type)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}
