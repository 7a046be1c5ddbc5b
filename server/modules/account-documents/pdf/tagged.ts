import { drawnText } from './runs.ts';
import { LINE } from './page.ts';
import type { Look, TextDrawer } from './text.ts';

export type Element = PDFKit.PDFStructureElement;
type Tag = 'P' | 'H1' | 'H2' | 'TH' | 'TD' | 'Table' | 'TR' | 'Sect';

/** All table heads are column heads. The types of pdfkit lack the option. */
const OF_COLUMN: PDFKit.Mixins.StructureElementOptions & { scope: 'Column' } = { scope: 'Column' };

interface Place {
  x: number;
  y: number;
  align?: 'right';
}

/**
 * Draws together with a structure for screen readers. Anything drawn outside the structure is
 * decoration.
 */
export class TaggedDrawer {
  readonly doc: PDFKit.PDFDocument;
  readonly text: TextDrawer;
  readonly #root: Element;

  constructor(doc: PDFKit.PDFDocument, text: TextDrawer) {
    this.doc = doc;
    this.text = text;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  /** Opens a part of the document; `closePart` ends it. */
  openPart(tag: Tag, parent: Element = this.#root): Element {
    const part = this.doc.struct(tag, tag === 'TH' ? OF_COLUMN : {});
    parent.add(part);
    return part;
  }

  /** Lines of text that form one element, for example a paragraph or a cell. */
  lines(
    tag: Tag,
    lines: readonly string[],
    {
      look,
      at,
      parent = this.#root,
      lineHeight = LINE,
    }: { look: Look; at: Place; parent?: Element; lineHeight?: number },
  ): void {
    const element = this.openPart(tag, parent);
    for (const [index, line] of lines.entries()) {
      const isPlain = drawnText(line, look.style).isPlain;
      // Text drawn from right to left, or as a number, is read and copied in its original form.
      element.add(this.doc.markStructureContent(tag, isPlain ? {} : { actual: line }));
      this.text.draw(line, look, { ...at, y: at.y + index * lineHeight });
      this.doc.endMarkedContent();
    }
    element.end();
  }

  /** Drawing without meaning: rules, repeated heads, page numbers. */
  decoration(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  rule(y: number, { from, to, color, width = 0.75 }: Rule): void {
    this.decoration(() => {
      this.doc.moveTo(from, y).lineTo(to, y).lineWidth(width).strokeColor(color).stroke();
    });
  }

  end(): void {
    this.#root.end();
  }
}

interface Rule {
  from: number;
  to: number;
  color: string;
  width?: number;
}
