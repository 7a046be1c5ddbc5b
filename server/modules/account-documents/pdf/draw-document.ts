import { once } from 'node:events';
import PdfDocument from 'pdfkit';
import type { AccountDocument } from '#contract/api.ts';
import { endBlocks, factsBlock, headBlock, noticeBlocks } from './blocks.ts';
import { LOOKS, PAGE, RIGHT } from './page.ts';
import { paginate } from './pages.ts';
import { tableBlocks } from './table.ts';
import { TaggedDrawer } from './tagged.ts';
import { TextDrawer } from './text.ts';

/**
 * Draws a document as a tagged PDF: with a structure, a language and a title, and with text that
 * can be searched and copied.
 *
 * @returns bytes that share their memory with nothing else
 */
export async function drawDocument(document: AccountDocument): Promise<Uint8Array<ArrayBuffer>> {
  const doc = new PdfDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    autoFirstPage: false,
    // Not its own Helvetica, whose widths it would read for each document.
    font: '',
    info: {
      Title: `${document.title}, ${document.reference}`,
      Author: document.company.name,
      Creator: 'Purser',
    },
  });
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(doc, 'end');
  drawPages(new TaggedDrawer(doc, new TextDrawer(doc)), document);
  doc.end();
  await ended;
  return Uint8Array.from(Buffer.concat(chunks));
}

/** Measures everything before drawing anything, because every page shows the number of pages. */
function drawPages(drawer: TaggedDrawer, document: AccountDocument): void {
  const pages = paginate([
    headBlock(drawer, document),
    ...noticeBlocks(drawer, document),
    factsBlock(drawer, document),
    ...document.tables.flatMap((table) => tableBlocks(drawer, table)),
    ...endBlocks(drawer, document),
  ]);
  for (const [index, page] of pages.entries()) {
    drawer.doc.addPage();
    drawFoot(drawer, document, `Made with Purser. Page ${index + 1} of ${pages.length}`);
    for (const { y, draw } of page) draw(y);
  }
  drawer.end();
}

function drawFoot(drawer: TaggedDrawer, document: AccountDocument, pageWords: string): void {
  const y = PAGE.foot;
  const words = `${document.company.name}, ${document.reference}`;
  drawer.decoration(() => {
    drawer.text.draw(words, LOOKS.small, { x: PAGE.margin, y });
    drawer.text.draw(pageWords, LOOKS.small, { x: RIGHT, y, align: 'right' });
  });
}
