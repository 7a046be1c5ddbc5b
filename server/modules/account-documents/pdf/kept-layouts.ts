import type { Font, GlyphPosition } from 'fontkit';

/** Result of `layout` of a font, without the objects of a document. */
interface Layout {
  glyphs: readonly { id: number; codePoints: number[] }[];
  positions: readonly Omit<GlyphPosition, 'advanceWidth'>[];
}

export type MakeLayout = (text: string, features?: string[]) => Layout;

/** Words of a file whose layouts are kept. A payslip has some 100, and most of them are on each payslip. */
const MOST_WORDS = 2_000;

/**
 * Layouts by a font, of which the newest are kept: those of the labels took a sixth of the time of a payslip. A word is laid
 * out as if it were the first, because fontkit keeps with a glyph the characters for which it was used first.
 *
 * @param shape makes another library shape the text of a font
 */
export function keepLayouts(opened: Font, shape: (font: Font) => Font): MakeLayout {
  const kept = new Map<string, Layout>();
  let glyphs = {};
  const font = shape(Object.create(opened, { _glyphs: { get: () => glyphs } }) as Font);
  return (text, features = []) => {
    const key = `${features.join()} ${text}`;
    let layout = kept.get(key);
    if (layout === undefined) {
      glyphs = {};
      layout = withoutObjects(font.layout(text, features));
      if (kept.size === MOST_WORDS) kept.clear();
      kept.set(key, layout);
    }
    return layout;
  };
}

function withoutObjects({ glyphs, positions }: ReturnType<Font['layout']>): Layout {
  return {
    glyphs: glyphs.map(({ id, codePoints }) => ({ id, codePoints })),
    positions: positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
      xAdvance,
      yAdvance,
      xOffset,
      yOffset,
    })),
  };
}

/** The font of one document, with glyphs of its own and layouts that all documents share. */
export function fontWithLayouts(opened: Font, makeLayout: MakeLayout): Font {
  const font = Object.create(opened, { _glyphs: { value: {} } }) as Font;
  const layout: MakeLayout = (text, features) => {
    const made = makeLayout(text, features);
    // pdfkit scales the positions where they are.
    const positions = made.positions.map((position) => ({ ...position }));
    return {
      glyphs: made.glyphs.map(({ id, codePoints }) => font.getGlyph(id, codePoints)),
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
  return Object.assign(font, { layout });
}
