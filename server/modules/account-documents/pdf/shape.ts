import type { Font, Glyph } from 'fontkit';
import * as harfbuzz from 'harfbuzzjs';

/** Glyphs of a text and their positions, in the units of the font, in fontkit's form for pdfkit. */
interface Shaped {
  glyphs: Glyph[];
  positions: Required<harfbuzz.GlyphPosition>[];
  advanceWidth: number;
}

/**
 * Makes HarfBuzz shape the text of a font instead of fontkit, which misplaces parts of Bengali
 * clusters: it draws the name for "Chandra" as another word. HarfBuzz has a copy of the file outside of the heap, which
 * stays, so that this is called once for a file.
 *
 * @param bytes of the font's file
 * @returns the same font
 */
export function shapeByHarfbuzz(font: Font, bytes: Buffer): Font {
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)));
  /** Letters by the glyphs that have one of their own; the first one where a glyph has several. */
  const letterOf = new Map(
    font.characterSet
      .map((letter) => [font.glyphForCodePoint(letter).id, letter] as const)
      .toReversed(),
  );
  const layout = (text: string): Shaped => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(shaper, buffer);
    const letters = lettersOfGlyphs(text, buffer.getGlyphInfos(), letterOf);
    const positions = buffer.getGlyphPositions();
    return {
      glyphs: letters.map(({ id, codePoints }) => font.getGlyph(id, codePoints)),
      positions,
      advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
    };
  };
  return Object.assign(font, { layout });
}

interface GlyphLetters {
  id: number;
  codePoints: number[];
}

/**
 * Letters that each glyph is copied as by readers without `ActualText`. A glyph of one letter is
 * that letter. The remaining letters of a cluster go to its first other glyph. So every letter is
 * there, though in drawing order.
 */
function lettersOfGlyphs(
  text: string,
  infos: readonly harfbuzz.GlyphInfo[],
  letterOf: ReadonlyMap<number, number>,
): GlyphLetters[] {
  const starts = [...new Set(infos.map(({ cluster }) => cluster)), text.length].toSorted(
    (a, b) => a - b,
  );
  const leftOf = new Map<number, number[]>();
  for (const [index, start] of starts.entries()) {
    const letters = partsOfAm(text.slice(start, starts[index + 1]));
    leftOf.set(
      start,
      Array.from(letters, (letter) => letter.codePointAt(0) ?? 0),
    );
  }
  for (const { codepoint: id, cluster } of infos) {
    const left = leftOf.get(cluster) ?? [];
    const letter = letterOf.get(id);
    const place = letter === undefined ? -1 : left.indexOf(letter);
    if (place !== -1) left.splice(place, 1);
  }
  return infos.map(({ codepoint: id, cluster }) => {
    const letter = letterOf.get(id);
    return {
      id,
      codePoints: letter === undefined ? (leftOf.get(cluster)?.splice(0) ?? []) : [letter],
    };
  });
}

/**
 * Splits the vowel "am" of Thai and Lao into a circle, which may have a tone mark above, and a
 * letter.
 */
function partsOfAm(letters: string): string {
  return letters.replaceAll('\u0E33', '\u0E4D\u0E32').replaceAll('\u0EB3', '\u0ECD\u0EB2');
}
