import { expect, describe, it } from 'vitest';
import { camt053, closingOf } from '#test/statement-files.ts';
import type { WrittenLine, WrittenStatement } from '#test/statement-files.ts';
import { readStatementFile } from './read-statement-file.ts';
import type { Statement } from './statement.ts';

const IBAN = 'NL26VAYB8060476890';
const NO_WORDS = { endToEnd: 'E1', trace: '1', counterparty: 'Ana Popescu', text: 'Pay back' };
const line = (amountMinor: bigint): WrittenLine => ({
  ...NO_WORDS,
  day: '2026-12-03',
  amountMinor,
  reference: `R${amountMinor}`,
});

/** A statement in three pages: 18.15 and 8.85 make 27.00, less 7.00 make 20.00, and 0.50 makes 20.50. */
const AMOUNTS = [885n, -700n, 50n] as const;
const WHOLE: WrittenStatement = {
  iban: IBAN,
  currency: 'EUR',
  openingMinor: 1815n,
  lines: AMOUNTS.map(line),
};

/** Part of the whole statement, with the balances around its own lines. */
function part(from: number, to: number): WrittenStatement {
  const before = { ...WHOLE, lines: WHOLE.lines.slice(0, from) };
  return { ...WHOLE, openingMinor: closingOf(before), lines: WHOLE.lines.slice(from, to) };
}

type Where = 'GrpHdr' | 'Stmt';
const pagination = (number: number | string, isLast: boolean | string) =>
  `<PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd>`;

/** The text of a message with the number of its page, in its header or in its statement. */
function numbered(text: string, pages: string, where: Where = 'GrpHdr'): string {
  const isInHeader = where === 'GrpHdr';
  return text.replace(
    isInHeader ? '<GrpHdr/>' : '<Acct>',
    isInHeader
      ? `<GrpHdr><MsgPgntn>${pages}</MsgPgntn></GrpHdr>`
      : `<StmtPgntn>${pages}</StmtPgntn><Acct>`,
  );
}

/** The page of a number from 1 as a message with interim balances towards its neighbours. */
function page(number: number, where: Where = 'GrpHdr'): string {
  const isLast = number === AMOUNTS.length;
  let text = camt053(8, part(number - 1, number));
  if (number > 1) text = text.replace('OPBD', 'ITBD');
  if (!isLast) text = text.replace('CLBD', 'ITBD');
  return numbered(text, pagination(number, isLast), where);
}

/** The page of a number that repeats the balances of the whole statement. */
function pageOfWhole(number: number): string {
  const text = camt053(8, WHOLE);
  const entries = text.match(/<Ntry>[^]*?<\/Ntry>/g) ?? [];
  return numbered(
    text.replace(/<Ntry>[^]*<\/Ntry>/, entries[number - 1] ?? ''),
    pagination(number, number === AMOUNTS.length),
  );
}

const inEnvelope = (messages: readonly string[]) =>
  `<Envelope>${messages.map((text) => text.slice(text.indexOf('<Document'))).join('\n')}</Envelope>`;

async function read(file: string): Promise<readonly Statement[]> {
  const result = await readStatementFile(Buffer.from(file));
  if (result.format === 'csv') throw new Error('taken for CSV');
  return result.statements;
}

const figures = (statements: readonly Statement[]) =>
  statements.map(({ opening, closing, lines }) => [
    opening?.amountMinor,
    ...lines.map(({ amountMinor }) => amountMinor),
    closing?.amountMinor,
  ]);

const why = (file: string) =>
  read(file).then(
    () => 'it was read',
    (error: Error) => error.message,
  );

describe('pages of a statement', () => {
  it.each(['true', '1'])('are one statement where the last is marked with %s', async (last) => {
    const pages = [1, 2, 3].map((number) => page(number));
    const file = inEnvelope(pages).replace('>true<', `>${last}<`).replaceAll('>false<', '>0<');
    expect(figures(await read(file))).toEqual([[1815n, ...AMOUNTS, 2050n]]);
  });

  it('are one statement within one message', async () => {
    const pages = [1, 2, 3].map((number) => page(number, 'Stmt'));
    const statements = pages.map((text) => /<Stmt>[^]*<\/Stmt>/.exec(text)?.[0] ?? '');
    const file = camt053(8, WHOLE).replace(/<Stmt>[^]*<\/Stmt>/, statements.join(''));
    expect(figures(await read(file))).toEqual([[1815n, ...AMOUNTS, 2050n]]);
  });

  it('are one statement by its number where each page has an id of its own', async () => {
    const pages = [1, 2, 3].map((number) =>
      page(number).replace('<Id>1</Id>', `<Id>P${number}</Id><ElctrncSeqNb>42</ElctrncSeqNb>`),
    );
    expect(figures(await read(inEnvelope(pages)))).toEqual([[1815n, ...AMOUNTS, 2050n]]);
  });

  it('are one statement where each repeats the balances of the whole', async () => {
    const pages = [1, 2, 3].map(pageOfWhole);
    expect(figures(await read(inEnvelope(pages)))).toEqual([[1815n, ...AMOUNTS, 2050n]]);
  });

  it('are read alone, and in part, where their own balances add up', async () => {
    expect(figures(await read(page(1)))).toEqual([[1815n, 885n, 2700n]]);
    expect(figures(await read(page(2)))).toEqual([[2700n, -700n, 2000n]]);
    expect(figures(await read(page(3)))).toEqual([[2000n, 50n, 2050n]]);
    expect(figures(await read(inEnvelope([page(1), page(2)])))).toEqual([
      [1815n, 885n, -700n, 2000n],
    ]);
  });

  it.each([
    [[1], 'this is page 1 of a statement, and page 2 is not in the file'],
    [[2], 'this is page 2 of a statement, and pages 1 and 3 are not in the file'],
    [[3], 'this is page 3 of the 3 pages of a statement, and pages 1 to 2 are not in the file'],
    [[1, 2], 'these are pages 1 and 2 of a statement, and page 3 is not in the file'],
    [[1, 3], 'these are pages 1 and 3 of the 3 pages of a statement, and page 2 is not in the'],
  ])('are refused without the others: %j', async (numbers, expected) => {
    const refusal = await why(inEnvelope(numbers.map(pageOfWhole)));
    expect(refusal).toContain(expected);
    expect(refusal).toContain('Stmt[1]');
    expect(refusal).toContain('Download the whole statement as one file. Nothing was imported.');
  });

  it('are refused without a closing balance, and with a number that is none', async () => {
    expect(await why(page(1).replace('ITBD', 'CLAV'))).toContain('page 2 is not in the file');
    const text = camt053(8, WHOLE);
    expect(await why(numbered(text, pagination('one', true)))).toContain(
      'GrpHdr/MsgPgntn: “one” is not the number of a page',
    );
    expect(await why(numbered(text, pagination(0, true), 'Stmt'))).toContain(
      'Stmt[1]/StmtPgntn: “0” is not the number of a page',
    );
  });
});

describe('statements that have one page each', () => {
  it('are not joined', async () => {
    const [first, second] = [part(0, 1), part(1, 3)].map((one) =>
      numbered(camt053(8, one), pagination(1, true)),
    );
    expect(figures(await read(inEnvelope([first ?? '', second ?? ''])))).toEqual([
      [1815n, 885n, 2700n],
      [2700n, -700n, 50n, 2050n],
    ]);
  });

  it('are whole in a message of which others follow, and where a bank numbers statements as pages', async () => {
    const several = camt053(8, part(0, 1), part(1, 2));
    const expected = [
      [1815n, 885n, 2700n],
      [2700n, -700n, 2000n],
    ];
    expect(figures(await read(numbered(several, pagination(1, false))))).toEqual(expected);
    expect(figures(await read(numbered(several, '<PgNb>235</PgNb>')))).toEqual(expected);
  });

  it('close as their last page does, of several in the messages of a file', async () => {
    const first = numbered(camt053(8, part(0, 1), part(1, 2)), pagination(1, false));
    const second = numbered(camt053(8, part(2, 3)), pagination(2, true));
    const split = second.replace('OPBD', 'ITBD');
    const open = `${first.slice(0, first.lastIndexOf('CLBD'))}ITBD${first.slice(first.lastIndexOf('CLBD') + 4)}`;
    expect(figures(await read(inEnvelope([open, split])))).toEqual([
      [1815n, 885n, 2700n],
      [2700n, -700n, 50n, 2050n],
    ]);
  });
});
