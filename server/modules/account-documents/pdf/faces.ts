import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import * as fontkit from 'fontkit';
import type { Font } from 'fontkit';
import { fontWithLayouts, keepLayouts } from './kept-layouts.ts';
import type { MakeLayout } from './kept-layouts.ts';
import { shapeByHarfbuzz } from './shape.ts';
import { unpackWoff } from './unpack-woff.ts';

/** Font styles of a document. */
export type Style = 'text' | 'strong' | 'display' | 'displayStrong';

/** The product's own typefaces. */
const OWN: Readonly<Record<Style, { family: string; weight: 400 | 600 }>> = {
  text: { family: 'instrument-sans', weight: 400 },
  strong: { family: 'instrument-sans', weight: 600 },
  display: { family: 'besley', weight: 400 },
  displayStrong: { family: 'besley', weight: 600 },
};

/** Families of scripts whose letters move, join and overlap ({@link isShaped}). */
const SHAPED = [
  'thai',
  'lao',
  'khmer',
  'myanmar',
  'tamil',
  'bengali',
  'gujarati',
  'gurmukhi',
  'telugu',
  'kannada',
  'malayalam',
  'sinhala',
].map((script) => `noto-sans-${script}`);

/** Families for the characters that the product's own lack, in the order of lookup. */
const OTHERS = [
  'noto-sans',
  // Its letters are single glyphs. Noto's consist of parts, which are copied as meaningless
  // characters.
  'ibm-plex-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-sc',
  'noto-sans-kr',
  'noto-sans-georgian',
  'noto-sans-armenian',
  'noto-sans-ethiopic',
  ...SHAPED,
  'noto-emoji',
];

/** A file of a family: part of its characters. */
interface Part {
  path: string;
  ranges: readonly (readonly [first: number, last: number])[];
}

interface LoadedFont {
  /** Its tables are decoded when they are first read, and stay. */
  opened: Font;
  characters: ReadonlySet<number>;
  makeLayout: MakeLayout;
}

const { resolve } = createRequire(import.meta.url);
/** Cache of lookups: a document uses few characters, very often. */
const found: Record<Style, Map<number, string | null>> = {
  text: new Map(),
  strong: new Map(),
  display: new Map(),
  displayStrong: new Map(),
};
const fonts = new Map<string, LoadedFont>();
const partsByFamily = new Map<string, readonly Part[]>();

/**
 * Path of the font file that has a character, or null if none of ours has it. A family is split
 * into files by ranges of characters, so that a document loads, and embeds, only what it needs.
 */
export function fileFor(codePoint: number, style: Style): string | null {
  const known = found[style].get(codePoint);
  if (known !== undefined) return known;
  const { family, weight } = OWN[style];
  let file = findPart(family, weight, codePoint);
  for (const other of OTHERS) file ??= findPart(other, 400, codePoint);
  found[style].set(codePoint, file);
  return file;
}

/**
 * True for a file whose text needs `shapeByHarfbuzz`, because glyphs are not drawn in the order of
 * the letters.
 */
export function isShaped(file: string): boolean {
  return SHAPED.some((family) => file.includes(`/${family}/`));
}

/**
 * The font in a file returned by {@link fileFor}, for one document. All documents share its tables and its layouts,
 * whose making takes most of the time of a short one. The glyphs are the document's own, because fontkit keeps with a
 * glyph the characters for which it was used first, and a reader copies those.
 */
export function fontForDocument(file: string): Font {
  const { opened, makeLayout } = fontOf(file);
  return fontWithLayouts(opened, makeLayout);
}

function fontOf(file: string): LoadedFont {
  let font = fonts.get(file);
  if (font === undefined) {
    const bytes = unpackWoff(readFileSync(file));
    // Each of the files has a single font.
    const opened = fontkit.create(bytes) as Font;
    const shape = (own: Font) => (isShaped(file) ? shapeByHarfbuzz(own, bytes) : own);
    font = {
      opened,
      characters: new Set(opened.characterSet),
      makeLayout: keepLayouts(opened, shape),
    };
    fonts.set(file, font);
  }
  return font;
}

function findPart(family: string, weight: number, codePoint: number): string | null {
  const key = `${family} ${weight}`;
  let parts = partsByFamily.get(key);
  if (parts === undefined) {
    parts = partsOf(family, weight);
    partsByFamily.set(key, parts);
  }
  // The package's list names ranges, but the files lack some characters in them, so the font is
  // checked.
  return (
    parts.find((part) => covers(part, codePoint) && fontOf(part.path).characters.has(codePoint))
      ?.path ?? null
  );
}

function covers({ ranges }: Part, codePoint: number): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** Reads the package's own list: `{ "latin": "U+0000-00FF,U+0131", "[4]": "U+4E00" }`. */
function partsOf(family: string, weight: number): Part[] {
  const list = resolve(`@fontsource/${family}/unicode.json`);
  const subsets = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  return Object.entries(subsets).map(([subset, ranges]) => ({
    path: join(
      dirname(list),
      'files',
      `${family}-${subset.replaceAll(/[[\]]/g, '')}-${weight}-normal.woff`,
    ),
    ranges: ranges.split(',').map(readRange),
  }));
}

function readRange(range: string): [number, number] {
  const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}
