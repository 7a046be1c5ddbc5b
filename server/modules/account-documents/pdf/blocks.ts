import type { AccountDocument } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { COLORS, CONTENT_WIDTH, LINE, LOOKS, PAGE, RIGHT } from './page.ts';
import type { Block } from './pages.ts';
import { cellText } from './table.ts';
import type { TaggedDrawer } from './tagged.ts';

const HALF = CONTENT_WIDTH / 2;
/** Height of a line of the company's name. */
const COMPANY_LINE = 20;

/** Head of the document: the company with its address; the title and the amount; a rule. */
export function headBlock(
  drawer: TaggedDrawer,
  { company, title, subtitle, lead }: AccountDocument,
): Block {
  const { text } = drawer;
  const name = text.lines(company.name, LOOKS.company, CONTENT_WIDTH);
  const nameHeight = name.length * COMPANY_LINE + 4;
  const address = company.address.flatMap((line) => text.lines(line, LOOKS.label, CONTENT_WIDTH));
  const below = text.lines(subtitle, LOOKS.body, HALF);
  const titleAt = nameHeight + address.length * LINE + 24;
  const ruleAt = titleAt + 42 + below.length * LINE + 10;
  const right = { x: RIGHT, align: 'right' } as const;
  return {
    height: ruleAt + 12,
    draw(top) {
      drawer.lines('P', name, {
        look: LOOKS.company,
        at: { x: PAGE.margin, y: top },
        lineHeight: COMPANY_LINE,
      });
      drawer.lines('P', address, {
        look: LOOKS.label,
        at: { x: PAGE.margin, y: top + nameHeight },
      });
      const y = top + titleAt;
      drawer.lines('H1', [title], { look: LOOKS.title, at: { x: PAGE.margin, y: y + 12 } });
      drawer.lines('P', below, { look: LOOKS.body, at: { x: PAGE.margin, y: y + 42 } });
      drawer.lines('P', [lead.label], { look: LOOKS.label, at: { ...right, y } });
      const amount = formatMoney(lead.amount, lead.isSigned ? 'always' : 'auto');
      drawer.lines('P', [amount], { look: LOOKS.lead, at: { ...right, y: y + LINE } });
      drawer.rule(top + ruleAt, { from: PAGE.margin, to: RIGHT, color: COLORS.ink });
    },
  };
}

/** Sentence above the facts, between two rules. */
export function noticeBlocks(drawer: TaggedDrawer, { notice }: AccountDocument): Block[] {
  if (notice === null) return [];
  const lines = drawer.text.lines(notice, LOOKS.strong, CONTENT_WIDTH);
  const ruleAt = lines.length * LINE + 10;
  return [
    {
      height: ruleAt + 12,
      draw(top) {
        drawer.lines('P', lines, { look: LOOKS.strong, at: { x: PAGE.margin, y: top + 2 } });
        drawer.rule(top + ruleAt, { from: PAGE.margin, to: RIGHT, color: COLORS.ink });
      },
    },
  ];
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

/** Proof, and the contact for questions. */
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
