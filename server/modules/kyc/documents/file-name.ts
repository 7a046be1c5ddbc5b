const MAX_LENGTH = 120;
const NO_NAME = 'document.jpg';
/** Half of a surrogate pair, left by a cut through a character. */
const HALF_AT_END = /[\ud800-\udbff]$/;

/** An ending as programs write it: ".jpeg". */
const ENDING = /\.[^.\s]{1,8}$/;

/** Name that a device gave a file, as it was sent: without its folder and without unseen characters. */
export function cleanFileName(given: string): string {
  const name = given.split(/[/\\]/).at(-1) ?? '';
  const visible = name.normalize('NFC').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  const ending = ENDING.exec(visible)?.[0] ?? '';
  const stem = visible.slice(0, visible.length - ending.length).replaceAll(/^[\s.]+|[\s.]+$/g, '');
  const cut = stem.slice(0, MAX_LENGTH).replace(HALF_AT_END, '');
  return cut === '' ? NO_NAME : cut + ending;
}

/** Name under which an image is downloaded: with the ending of what it is kept as, a JPEG. */
export function downloadName(fileName: string | null): string {
  return fileName === null ? NO_NAME : `${fileName.replace(ENDING, '')}.jpg`;
}
