import { fontForDocument } from './faces.ts';
import { drawnText } from './runs.ts';
import type { Run } from './runs.ts';
import type { Style } from './faces.ts';

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export interface Look {
  style: Style;
  /** Digits of equal width, for amounts in a column. */
  isTabular?: boolean;
  /** Points. */
  size: number;
  color: string;
}

/** Spaces at which a line may end: not between month and day, nor between an hour and AM or PM. */
const BREAKS =
  /(?<!\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (?![AP]M\b)| (?!\d|[AP]M\b)/;

/** Text drawing: measures, breaks into lines and draws, with the fonts that have the characters. */
export class TextDrawer {
  readonly #doc: PDFKit.PDFDocument;
  /** Short names by file; pdfkit identifies a font by a short name. */
  readonly #names = new Map<string, string>();

  readonly #widths = new Map<string, number>();

  constructor(doc: PDFKit.PDFDocument) {
    this.#doc = doc;
  }

  /** Width in points of a line. */
  width(text: string, look: Look): number {
    return drawnText(text, look.style).runs.reduce(
      (width, run) => width + this.#runWidth(run, look),
      0,
    );
  }

  /**
   * Breaks a text into lines, at spaces outside of dates, and inside a word that is wider than a
   * line.
   */
  lines(text: string, look: Look, width: number): string[] {
    if (this.width(text, look) <= width) return [text];
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(BREAKS).flatMap((whole) => this.#pieces(whole, look, width))) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && this.width(longer, look) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    return [...lines, line];
  }

  /** Draws one line with its upper left corner, or upper right one, at a point. */
  draw(text: string, look: Look, at: { x: number; y: number; align?: 'right' }): void {
    let x = at.align === 'right' ? at.x - this.width(text, look) : at.x;
    this.#doc.fillColor(look.color);
    for (const run of drawnText(text, look.style).runs) {
      const width = this.#runWidth(run, look);
      this.#use(run.file, look.size);
      // Fonts have different heights above their letters; all share one baseline.
      this.#doc.text(run.text, x, at.y + look.size, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...featuresOf(look),
      });
      x += width;
    }
  }

  #pieces(word: string, look: Look, width: number): string[] {
    if (this.width(word, look) <= width) return [word];
    const pieces: string[] = [];
    let piece = '';
    // A letter and its marks stay together.
    for (const { segment: character } of letters.segment(word)) {
      if (piece !== '' && this.width(piece + character, look) > width) {
        pieces.push(piece);
        piece = '';
      }
      piece += character;
    }
    return [...pieces, piece];
  }

  /**
   * A line is measured when it is broken and again when it is drawn; shaping takes the most time.
   */
  #runWidth({ file, text }: Run, look: Look): number {
    const key = `${look.size} ${look.isTabular ?? false} ${file} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      this.#use(file, look.size);
      width = this.#doc.widthOfString(text, featuresOf(look));
      this.#widths.set(key, width);
    }
    return width;
  }

  #use(file: string, size: number): void {
    let name = this.#names.get(file);
    if (name === undefined) {
      name = `face-${this.#names.size}`;
      this.#names.set(file, name);
      // pdfkit also takes a font that is open, which its types leave out.
      this.#doc.registerFont(name, fontForDocument(file) as unknown as Buffer);
    }
    this.#doc.font(name).fontSize(size);
  }
}

function featuresOf({ isTabular = false }: Look): PDFKit.Mixins.TextOptions {
  return isTabular ? { features: ['tnum'] } : {};
}
