import type { AccountDocument } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { COLORS, CONTENT_WIDTH, LINE, LOOKS, PAGE, RIGHT } from './page.ts';
import type { Block } from './pages.ts';
import { cellText } from './table.ts';
import type { TaggedDrawer } from './tagged.ts';

const HALF = CONTENT_WIDTH / 2;

/** The wordmark and the company; the title with what the document is about; a rule. */
export function headBlock(
  drawer: TaggedDrawer,
  { company, title, subtitle, lead }: AccountDocument,
): Block {
  const { text } = drawer;
  const address = [company.name, ...company.address].map((line, index) => {
    const look = index === 0 ? LOOKS.strong : LOOKS.label;
    return { look, lines: text.lines(line, look, HALF) };
  });
  const addressLines = address.reduce((sum, { lines }) => sum + lines.length, 0);
  const below = text.lines(subtitle, LOOKS.body, HALF);
  const titleAt = Math.max(addressLines, 2) * LINE + 24;
  const ruleAt = titleAt + 42 + below.length * LINE + 10;
  const right = { x: RIGHT, align: 'right' } as const;
  return {
    height: ruleAt + 12,
    draw(top) {
      drawWordmark(drawer, top);
      let y = top;
      for (const { look, lines } of address) {
        drawer.lines('P', lines, { look, at: { ...right, y } });
        y += lines.length * LINE;
      }
      y = top + titleAt;
      drawer.lines('H1', [title], { look: LOOKS.title, at: { x: PAGE.margin, y: y + 12 } });
      drawer.lines('P', below, { look: LOOKS.body, at: { x: PAGE.margin, y: y + 42 } });
      drawer.lines('P', [lead.label], { look: LOOKS.label, at: { ...right, y } });
      const amount = formatMoney(lead.amount, lead.isSigned ? 'always' : 'auto');
      drawer.lines('P', [amount], { look: LOOKS.lead, at: { ...right, y: y + LINE } });
      drawer.rule(top + ruleAt, { from: PAGE.margin, to: RIGHT, color: COLORS.ink });
    },
  };
}

function drawWordmark(drawer: TaggedDrawer, y: number): void {
  const { text } = drawer;
  drawer.decoration(() => text.draw('Purser', LOOKS.wordmark, { x: PAGE.margin, y }));
  const to = PAGE.margin + text.width('Purser', LOOKS.wordmark);
  for (const under of [19, 21.25]) {
    drawer.rule(y + under, { from: PAGE.margin, to, color: COLORS.brass });
  }
}

const FACTS_GAP = 36;
const LABEL_WIDTH = 88;

/** Two columns, each of labels and values. */
export function factsBlock(drawer: TaggedDrawer, { facts }: AccountDocument): Block {
  const width = (CONTENT_WIDTH - FACTS_GAP) / 2;
  const columns = facts.map((column) => {
    let y = 0;
    return column.map(({ label, value }) => {
      const lines = drawer.text.lines(cellText(value), LOOKS.body, width - LABEL_WIDTH);
      const at = y;
      y += lines.length * LINE + 8;
      return { label, lines, isAmount: typeof value !== 'string', from: at, to: y };
    });
  });
  return {
    height: Math.max(0, ...columns.map((column) => column.at(-1)?.to ?? 0)),
    draw(top) {
      for (const [place, column] of columns.entries()) {
        const x = PAGE.margin + place * (width + FACTS_GAP);
        for (const { label, lines, isAmount, from, to } of column) {
          const y = top + from + 4;
          const parent = drawer.openPart('Sect');
          drawer.lines('P', [label], { look: LOOKS.label, at: { x, y }, parent });
          const at = isAmount
            ? ({ x: x + width, y, align: 'right' } as const)
            : { x: x + LABEL_WIDTH, y };
          const look = isAmount ? LOOKS.amount : LOOKS.body;
          drawer.lines('P', lines, { look, at, parent });
          parent.end();
          drawer.rule(top + to, { from: x, to: x + width, color: COLORS.rule });
        }
      }
    },
  };
}

/** The proof, and whom to ask. */
export function endBlocks(drawer: TaggedDrawer, { proof, questions }: AccountDocument): Block[] {
  return [...proof, questions].map((paragraph, index) => {
    const lines = drawer.text.lines(paragraph, LOOKS.small, CONTENT_WIDTH);
    const before = index === 0 ? 22 : index === proof.length ? 6 : 0;
    return {
      height: before + lines.length * LINE,
      draw: (y) =>
        drawer.lines('P', lines, { look: LOOKS.small, at: { x: PAGE.margin, y: y + before } }),
    };
  });
}
