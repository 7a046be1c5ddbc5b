/**
 * Characters that people copy into a field together with a text: marks of direction, characters without width,
 * other kinds of spaces and dashes. Every text that a person types is cleaned by these functions.
 */

/**
 * Characters that are not seen and that no text needs: characters without width, and marks that turn the
 * direction of what follows (Unicode TR 36, 2.5). The joiners U+200C and U+200D are not among them, because
 * names in Persian and Hindi are written with them.
 */
const UNSEEN_CLASS = String.raw`\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`;
/** Unseen characters that are refused besides: control characters, and separators of lines. */
const CONTROL_CLASS = String.raw`\u007f-\u009f\u2028\u2029`;

const UNSEEN = new RegExp(`[${UNSEEN_CLASS}]|\u200c|\u200d`, 'g');
const END = new RegExp(`[\\s${UNSEEN_CLASS}]|\u200c|\u200d`);
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g;

const LINE_BREAKERS = new RegExp(String.raw`[\u0000-\u001f${CONTROL_CLASS}${UNSEEN_CLASS}]`);
const PARAGRAPH_BREAKERS = new RegExp(
  String.raw`[\u0000-\u0008\u000b-\u001f${CONTROL_CLASS}${UNSEEN_CLASS}]`,
);

/** Control characters other than a tab and the ends of lines: a terminal obeys them, and no text needs them. */
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]`);

/** A text without spaces and unseen characters at its ends. */
export function withoutEnds(typed: string): string {
  let [start, end] = [0, typed.length];
  while (start < end && END.test(typed.charAt(start))) start += 1;
  while (end > start && END.test(typed.charAt(end - 1))) end -= 1;
  return typed.slice(start, end);
}

/** A text on one line in Unicode's normal form C: spaces of every kind are plain ones. */
export function lineText(typed: string): string {
  return withoutEnds(typed).replaceAll(SPACES, ' ').normalize('NFC');
}

/** A name: as {@link lineText}, with plain hyphens and one space between its words. */
export function nameText(typed: string): string {
  return lineText(typed).replaceAll(DASHES, '-').replaceAll(/ +/g, ' ');
}

/**
 * A number or a code as papers print it: nothing unseen anywhere, plain spaces and hyphens. Groups stay as
 * they are.
 */
export function numberText(typed: string): string {
  return typed.replaceAll(UNSEEN, '').replaceAll(SPACES, ' ').replaceAll(DASHES, '-').trim();
}

/** The first character that a line may not have; undefined where all are fine. */
export function lineBreakerIn(text: string): string | undefined {
  return LINE_BREAKERS.exec(text)?.[0];
}

/** The same for a text of several lines. */
export function paragraphBreakerIn(text: string): string | undefined {
  return PARAGRAPH_BREAKERS.exec(text)?.[0];
}

/** The first control character that no text may have, of whatever field. */
export function controlIn(text: string): string | undefined {
  return CONTROLS.exec(text)?.[0];
}

/** The first character of a text that is none of `allowed`, a pattern of one character. */
export function strangerIn(text: string, allowed: RegExp): string | undefined {
  return Array.from(text).find((character) => !allowed.test(character));
}

/** "Remove the line break." or "Remove \u201c#\u201d.", or for what is not seen "Remove the invisible character U+200B." */
export function removeWords(character: string): string {
  if (character === '\n' || character === '\r') return 'Remove the line break.';
  if (character === '\t') return 'Remove the tab.';
  const isSeen = lineBreakerIn(character) === undefined && !/[\s\u200c\u200d]/.test(character);
  if (isSeen) return `Remove \u201c${character}\u201d.`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Remove the invisible character U+${code}.`;
}
