import PdfDocument from 'pdfkit';
import { expect, it } from 'vitest';
import { extractText, getDocumentProxy } from 'unpdf';
import type { AccountDocument } from '#contract/api.ts';
import { money, parseAmount } from '#contract/money.ts';
import { drawPdf } from './draw-pdf.ts';
import { fileFor, fontForDocument } from './faces.ts';
import { CONTENT_WIDTH, LOOKS } from './page.ts';
import { drawnText } from './runs.ts';
import { TextDrawer } from './text.ts';

const NAME = 'Łukasz محمد عبد الله 张三 😀';

/** Statement with `count` entries of 1.00, 1.01, ...; every third is money out. */
function statement(count: number, name = 'Maya Castellanos'): AccountDocument {
  let balance = 0n;
  const rows = Array.from({ length: count }, (_, index) => {
    const minor = BigInt(100 + index) * (index % 3 === 2 ? -1n : 1n);
    balance += minor;
    const words = index === 1 ? `Payment from ${name}` : 'Withdrawal to Cascade Federal ••2208';
    return [
      'Nov 5',
      words,
      `TXN-${index}`,
      signed(minor),
      { amount: usd(balance), isSigned: false },
    ];
  });
  return {
    id: 'statement.salary.2025-11',
    kind: 'statement',
    notice: null,
    title: 'Statement',
    subtitle: 'Salary Wallet, November 1 – 30, 2025',
    company: { name: 'Tallis & Reed, Inc.', address: ['418 Mercer Street', 'Seattle, WA 98109'] },
    lead: { label: 'Closing balance', amount: usd(balance), isSigned: false },
    facts: [[{ label: 'Account holder', value: name }], []],
    tables: [
      {
        title: null,
        columns: [
          { label: 'Date', kind: 'text' },
          { label: 'Description', kind: 'text' },
          { label: 'Reference', kind: 'code' },
          { label: 'Amount', kind: 'amount' },
          { label: 'Balance', kind: 'amount' },
        ],
        rows,
        total: null,
        omitted: 0,
      },
    ],
    proof: ['Sealed in block 12.'],
    questions: 'Questions: payroll@example.com.',
    reference: 'Salary Wallet ••7731, November 2025',
    proves: null,
    fileName: 'statement',
  };
}

const usd = (minor: bigint) => money(minor, 'USD');
const signed = (minor: bigint) => ({ amount: usd(minor), isSigned: true });

async function open(document: AccountDocument) {
  return getDocumentProxy(Uint8Array.from(await drawPdf(document)));
}

it('has every line as text, which another library extracts and which adds up', async () => {
  const document = statement(120);
  const pdf = await open(document);
  expect(pdf.numPages).toBeGreaterThan(3);
  const { text } = await extractText(pdf, { mergePages: false });
  const amounts = text.flatMap((page) => [...page.matchAll(/([+−])\$([\d,.]+)/gu)]);
  expect(amounts).toHaveLength(120);
  const sum = amounts.reduce(
    (total, [, sign, digits = '']) =>
      total + (parseAmount(digits) ?? 0n) * (sign === '−' ? -1n : 1n),
    0n,
  );
  expect(sum.toString()).toBe(document.lead.amount.minor);
  expect(text.at(-1)).toContain(`Page ${pdf.numPages} of ${pdf.numPages}`);
  // The head of a table is above its lines on every page that has lines.
  expect(text.filter((page) => page.includes('TXN-'))).toSatisfy((pages: string[]) =>
    pages.every((page) => page.includes('Description')),
  );
});

it('is tagged, with a language and a title that a viewer shows', async () => {
  const pdf = await open(statement(3));
  const { info } = await pdf.getMetadata();
  expect(info).toMatchObject({
    Language: 'en-US',
    Title: 'Statement, Salary Wallet ••7731, November 2025',
  });
  expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
  const roles = JSON.stringify(await (await pdf.getPage(1)).getStructTree());
  for (const role of ['Document', 'H1', 'Table', 'TR', 'TH', 'TD']) {
    expect(roles).toContain(`"role":"${role}"`);
  }
});

it('has table heads that a screen reader assigns to their columns', async () => {
  const document = statement(120);
  const bytes = Buffer.from(await drawPdf(document)).toString('latin1');
  const heads = bytes.match(/\/S \/TH\b/g) ?? [];
  expect(heads).toHaveLength(document.tables[0]?.columns.length ?? 0);
  expect(bytes.match(/\/Scope \/Column\b/g)).toHaveLength(heads.length);
});

/** All lines, each as it is drawn. */
async function linesOf(document: AccountDocument): Promise<string[]> {
  const pdf = await open(document);
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(
    numbers.map(async (number) => (await pdf.getPage(number)).getTextContent()),
  );
  return pages.flatMap(({ items }) => items.flatMap((item) => ('str' in item ? [item.str] : [])));
}

it.each(['Jan', 'Jun', 'Jul', 'Sep'])(
  'keeps a day of %s in one line of its column',
  async (month) => {
    const document = statement(31);
    const days = Array.from({ length: 31 }, (_, index) => `${month} ${index + 1}`);
    for (const [index, day] of days.entries()) document.tables[0]?.rows[index]?.splice(0, 1, day);
    // Each day is also tried alone, because the column is then exactly as wide as that day.
    expect(await linesOf(document)).toEqual(expect.arrayContaining(days));
    for (const day of days) {
      const alone = statement(1);
      alone.tables[0]?.rows[0]?.splice(0, 1, day);
      expect(await linesOf(alone)).toContain(day);
    }
  },
);

it('does not separate a day from its month at the end of a line', async () => {
  for (let before = 60; before < 130; before += 1) {
    const text = new TextDrawer(new PdfDocument({ autoFirstPage: true }));
    const words = `${'i '.repeat(before)}until Jul 31, 2026, at 9:30 AM or by May 4.`;
    const lines = text.lines(words, LOOKS.small, CONTENT_WIDTH);
    expect(lines.join(' ')).toBe(words);
    expect(lines.filter((line) => /\b(?:Jul|May|9:30)$/.test(line))).toEqual([]);
  }
});

it('writes a name in Arabic, Chinese and emoji, and a character without a font as its number', async () => {
  const pdf = await open(statement(3, `${NAME} Ꭰ \u202Eevil`));
  const { text } = await extractText(pdf, { mergePages: true });
  for (const part of ['ukasz', '张三', '😀', 'محمد', 'عبد', 'الله', '[U+13A0]', 'evil']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('\u202E');
});

it('writes a name in every script that people sign up in, and copies it as text', async () => {
  const names = [
    '김지원',
    'กิตติพงษ์ น้ำทิพย์',
    'மீனாட்சி சுந்தரம்',
    'রবীন্দ্রনাথ ঠাকুর',
    'გიორგი',
    'Արամ',
    'አበበ',
    'मीनाक्षी',
    'નરેન્દ્ર',
    'ਗੁਰਪ੍ਰੀਤ',
    'వెంకటేశ్వర',
    'ಕೃಷ್ಣಮೂರ್ತಿ',
    'ശ്രീകുമാർ',
    'ශ්‍රී',
    'ສົມສັກ',
    'សុខ',
    'မြင့်',
    'ゆき',
  ];
  for (const name of names) {
    const { runs } = drawnText(name, 'text');
    expect(runs.map(({ text }) => text).join(''), name).toBe(name);
    expect(
      runs.some(({ text }) => text.includes('[U+')),
      name,
    ).toBe(false);
  }
  const { text } = await extractText(await open(statement(3, '김지원 გიორგი')), {
    mergePages: true,
  });
  expect(text).toContain('김지원 გიორგი');
  // Readers that take the letters from the glyphs must find every letter, in any order.
  for (const name of ['চন্দ্রশেখর', 'น้ำทิพย์', 'மீனாட்சி']) {
    const shaped = await extractText(await open(statement(3, name)), { mergePages: true });
    // The vowel of น้ำ is drawn in its two parts.
    const letters = name.replace('\u0E33', '\u0E4D\u0E32');
    for (const letter of letters) expect(shaped.text, name).toContain(letter);
  }
  // The order of the glyphs differs from the order of the text, so the text is attached as
  // ActualText.
  expect(drawnText('রবীন্দ্রনাথ', 'text').isPlain).toBe(false);
  expect(drawnText('გიორგი', 'text').isPlain).toBe(true);
});

/** Glyphs as drawn: their ids, and their offsets in thousandths of the size. */
function drawnGlyphs(text: string): unknown[] {
  const doc = new PdfDocument();
  const drawer = new TextDrawer(doc);
  drawer.width(text, LOOKS.body);
  const { _font: font } = doc as unknown as {
    _font: {
      layout: (words: string) => { glyphs: { id: number }[]; positions: { xOffset: number }[] };
    };
  };
  const { glyphs, positions } = font.layout(text);
  return glyphs.map(({ id }, index) => [id, Math.round(positions[index]?.xOffset ?? 0)]);
}

it('places the parts of a letter as HarfBuzz does: the output of hb-shape for these names', () => {
  // The r of "Chandra" is under the letters before it, not under those that follow.
  expect(drawnGlyphs('চন্দ্র').map(String)).toEqual([
    '30,0',
    '337,0',
    '214,0',
    '312,-837',
    '277,-635',
  ]);
  // The circle of the vowel is under the tone mark.
  expect(drawnGlyphs('น้ำ').map(String)).toEqual(['61,0', '57,0', '47,-29', '76,0']);
  // A cluster has two forms: with the joiner and without it.
  expect(drawnGlyphs('র‍্যা')).not.toEqual(drawnGlyphs('র্যা'));
});

it('breaks words that are wider than their place, and terminates', async () => {
  const pdf = await open(statement(2, 'Z'.repeat(500)));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text.replaceAll(/[^Z]/g, '')).toHaveLength(1_000);
});

it('copies a glyph as the characters for which its own document used it', () => {
  const file = fileFor(0x41, 'text') ?? '';
  const [one, other] = [fontForDocument(file), fontForDocument(file)];
  expect(one.getGlyph(5, [0x66, 0x69]).codePoints).toEqual([0x66, 0x69]);
  expect(other.getGlyph(5, [0x66, 0x6c]).codePoints).toEqual([0x66, 0x6c]);
});

it('draws a document as before, whatever the same thread has drawn since', async () => {
  /** The bytes without the time of drawing, and without the number that pdfkit makes of it. */
  const draw = async (name: string) =>
    Buffer.from(await drawPdf(statement(3, name)))
      .toString('latin1')
      .replaceAll(/\d{14}Z|\d{4}-\d\d-\d\dT[\d:]{8}Z|\/ID \[.*?\]/g, '');
  const names = ['Maya Castellanos', 'চন্দ্রশেখর', 'দ্রবীন্দ্রনাথ', 'น้ำทิพย์'];
  const first: string[] = [];
  for (const name of names) first.push(await draw(name));
  for (const [index, name] of [...names.entries()].toReversed()) {
    expect(await draw(name), name).toBe(first[index]);
  }
});

it('has no more memory than its bytes', async () => {
  const { length, buffer } = await drawPdf(statement(3));
  expect(buffer.byteLength).toBe(length);
});

it('draws several documents concurrently without mixing them', async () => {
  const pdfs = await Promise.all([1, 2, 3, 4].map((count) => open(statement(count))));
  const counts = await Promise.all(
    pdfs.map(async (pdf) => {
      const { text } = await extractText(pdf, { mergePages: true });
      return [...text.matchAll(/TXN-\d/g)].length;
    }),
  );
  expect(counts).toEqual([1, 2, 3, 4]);
});
