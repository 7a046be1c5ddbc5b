import { expect, it } from 'vitest';
import { extractText, getDocumentProxy } from 'unpdf';
import type { AccountDocument } from '#contract/api.ts';
import { money, parseAmount } from '#contract/money.ts';
import { drawPdf } from './draw-pdf.ts';

const NAME = 'Łukasz محمد عبد الله 张三 😀';

/** Of `count` entries of 1.00, 1.01, ...: every third goes out. */
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

it('has every line as text, which another library extracts and which sums', async () => {
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
  // The head of a table stands over its lines on every page that has any.
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

it('writes a name in Arabic, Chinese and emoji, and a character that no font has by its number', async () => {
  const pdf = await open(statement(3, `${NAME} 한 \u202Eevil`));
  const { text } = await extractText(pdf, { mergePages: true });
  for (const part of ['ukasz', '张三', '😀', 'محمد', 'عبد', 'الله', '[U+D55C]', 'evil']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('\u202E');
});

it('breaks words that are wider than their place, and ends', async () => {
  const pdf = await open(statement(2, 'Z'.repeat(500)));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text.replaceAll(/[^Z]/g, '')).toHaveLength(1_000);
});

it('draws several at once, and each is its own', async () => {
  const pdfs = await Promise.all([1, 2, 3, 4].map((count) => open(statement(count))));
  const counts = await Promise.all(
    pdfs.map(async (pdf) => {
      const { text } = await extractText(pdf, { mergePages: true });
      return [...text.matchAll(/TXN-\d/g)].length;
    }),
  );
  expect(counts).toEqual([1, 2, 3, 4]);
});
