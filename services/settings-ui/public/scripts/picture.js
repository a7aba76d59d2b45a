// A picture that is too large to be sent is made smaller, as people choose it.

/** Four times the largest that pages show, for sharp screens. */
const SIDE = 256;

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.most) void shrink(target);
});

/** What is no picture stays as it is: the server says what is wrong with it. @param {HTMLInputElement} input */
async function shrink(input) {
  const [file] = input.files ?? [];
  if (!file || file.size <= Number(input.dataset.most)) return;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return;
  const scale = SIDE / Math.min(picture.width, picture.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas.getContext('2d')?.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  const type = 'image/jpeg';
  const chosen = new DataTransfer();
  chosen.items.add(new File([await canvas.convertToBlob({ type, quality: 0.85 })], file.name, { type }));
  input.files = chosen.files;
}
