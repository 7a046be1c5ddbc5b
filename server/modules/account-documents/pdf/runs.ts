import { fileFor, isShaped } from './faces.ts';
import type { Style } from './faces.ts';

/** Consecutive characters in one font. */
export interface Run {
  file: string;
  text: string;
}

/** A line of text as it is drawn, from left to right. */
export interface DrawnText {
  runs: readonly Run[];
  /**
   * True if the drawn glyphs give the text when read; otherwise the text must be attached as
   * ActualText.
   */
  isPlain: boolean;
}

const ASCII = /^[\x20-\x7E]*$/;
/**
 * Letters of some scripts change before these, so they are kept where a shaped font has the letter.
 */
const JOINER = /[\u200C\u200D]/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Control}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Span from the first letter of a right-to-left script to its last. */
const RIGHT_TO_LEFT_SPAN =
  /[\p{Script=Arabic}\p{Script=Hebrew}](?:[^\p{Script=Latin}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{M}])?/gu;

/**
 * Splits a text into the fonts that have its characters, in drawing order. A character that no font
 * has is written as its number, `[U+1F0A1]`: never as an empty box, and never omitted. Characters
 * without a shape (direction marks, joiners) are removed, so no text can reverse the text next to
 * it.
 */
export function drawnText(text: string, style: Style): DrawnText {
  if (ASCII.test(text)) {
    const file = fileFor(0x41, style);
    return { runs: file === null ? [] : [{ file, text }], isPlain: true };
  }
  const drawn = inVisualOrder(text);
  const runs: Run[] = [];
  let isPlain = drawn === text;
  const add = (file: string | null, part: string) => {
    if (file === null) return;
    const last = runs.at(-1);
    if (last?.file === file) last.text += part;
    else runs.push({ file, text: part });
  };
  for (const character of drawn) {
    if (INVISIBLE.test(character)) {
      isPlain = false;
      const last = runs.at(-1);
      if (JOINER.test(character) && last !== undefined && isShaped(last.file)) {
        last.text += character;
      }
      continue;
    }
    const codePoint = character.codePointAt(0) ?? 0;
    const file = fileFor(codePoint, style);
    if (file !== null) {
      add(file, character);
    } else {
      isPlain = false;
      add(fileFor(0x41, style), `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`);
    }
  }
  const isInOrder = !RIGHT_TO_LEFT.test(text) && !runs.some(({ file }) => isShaped(file));
  return { runs, isPlain: isPlain && isInOrder };
}

/**
 * Words of a right-to-left span, in their order from the left. The font orders the letters of each
 * word. The page itself runs from left to right.
 */
function inVisualOrder(text: string): string {
  return text.replaceAll(RIGHT_TO_LEFT_SPAN, (span) => span.split(' ').toReversed().join(' '));
}
