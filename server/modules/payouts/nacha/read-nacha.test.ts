import { describe, expect, it } from 'vitest';
import { NachaFault } from './fault.ts';
import {
  BATCH_CONTROL,
  BATCH_HEADER,
  CHANGE,
  CONTESTED_RETURN,
  DISHONORED_RETURN,
  ENTRY,
  FILE_CONTROL,
  FILE_HEADER,
  FILLER,
  RETURN,
} from './records.ts';
import { readNacha } from './read-nacha.ts';
import type { ReadEntry } from './read-nacha.ts';

const OURS = '084207310000001';
const THEIRS = '231380100000077';

const header = FILE_HEADER.write({
  destination: ' 084207311',
  origin: ' 231380104',
  createdOn: '261209',
  createdAt: '0306',
  fileIdModifier: 'A',
  destinationName: 'Northgate',
  originName: 'Cascade',
  reference: '',
});
const batchHeader = BATCH_HEADER.write({
  serviceClass: '200',
  companyName: 'Tallis & Reed',
  discretionary: '',
  companyId: '191234567',
  entryClass: 'PPD',
  description: 'PAYROLL',
  descriptiveDate: '',
  effectiveOn: '261209',
  settledOn: '344',
  originatorStatus: '1',
  odfi: '23138010',
  batchNumber: '0000001',
});
const entryOf = (given: Partial<Parameters<typeof ENTRY.write>[0]> = {}) =>
  ENTRY.write({
    transactionCode: '21',
    routingNumber: '231380104',
    accountNumber: '4400917',
    amountMinor: 62_000n,
    identification: 'WD-61803399',
    name: 'Grace Achieng',
    discretionary: '',
    addenda: '1',
    traceNumber: THEIRS,
    ...given,
  });
const returnOf = (code: string, originalTrace = OURS) =>
  RETURN.write({
    code,
    originalTrace,
    dateOfDeath: '',
    originalRdfi: '23138010',
    information: '',
    traceNumber: THEIRS,
  });
const batchControl = BATCH_CONTROL.write({
  serviceClass: '200',
  entryCount: 2,
  entryHash: 23_138_010n,
  debitMinor: 0n,
  creditMinor: 62_000n,
  companyId: '191234567',
  authentication: '',
  odfi: '23138010',
  batchNumber: '0000001',
});
const fileControl = FILE_CONTROL.write({
  batchCount: 1,
  blockCount: 1,
  entryCount: 2,
  entryHash: 23_138_010n,
  debitMinor: 0n,
  creditMinor: 62_000n,
});

const fileOf = (addenda: string, entry = entryOf()) => [
  header,
  batchHeader,
  entry,
  addenda,
  batchControl,
  fileControl,
  ...Array<string>(4).fill(FILLER),
];
const GOOD = fileOf(returnOf('R03'));

async function read(text: string | readonly string[]) {
  const entries: ReadEntry[] = [];
  const file = await readNacha(typeof text === 'string' ? [text] : text, (one) =>
    entries.push(one),
  );
  return { ...file, entries };
}

const replaced = (at: number, line: string) =>
  GOOD.map((one, index) => (index === at ? line : one));
const without = (at: number) => GOOD.filter((_line, index) => index !== at);
const edited = (at: number, column: number, characters: string) => {
  const line = GOOD[at] ?? '';
  return replaced(
    at,
    line.slice(0, column - 1) + characters + line.slice(column - 1 + characters.length),
  );
};

describe('a returns file', () => {
  it.each([
    ['LF', GOOD.join('\n')],
    ['CRLF at each end', `${GOOD.join('\r\n')}\r\n`],
    ['CR', GOOD.join('\r')],
    ['blanks behind each record', GOOD.map((line) => `${line}    \n`).join('')],
    ['blanks left out', GOOD.map((line) => `${line.trimEnd()}\n`).join('')],
    ['blank lines', `\n${GOOD.join('\n\n')}\n\n`],
    ['no line ends', GOOD.join('')],
    ['no line ends but one', `${GOOD.join('')}\r\n`],
    ['no last block', GOOD.slice(0, 6).join('\n')],
  ])('is read with %s', async (_what, text) => {
    const expected = {
      kind: 'return',
      code: 'R03',
      originalTrace: OURS,
      information: '',
      traceNumber: THEIRS,
    };
    for (const parts of [[text], Array.from(text)]) {
      const { entries, totals } = await read(parts);
      expect(entries).toMatchObject([{ amountMinor: 62_000n, follows: [expected] }]);
      expect(totals.creditMinor).toBe(62_000n);
    }
  });

  it('has dishonored and contested returns, and changes', async () => {
    const common = { originalTrace: OURS, originalRdfi: '23138010', traceNumber: THEIRS };
    const earlier = { returnTrace: THEIRS, returnSettledOn: '343', returnCode: '03' };
    const dishonored = DISHONORED_RETURN.write({
      ...common,
      ...earlier,
      code: 'R68',
      information: '',
    });
    const contested = CONTESTED_RETURN.write({
      ...common,
      ...earlier,
      code: 'R73',
      originalReturnedOn: '261209',
      originalSettledOn: '343',
      dishonoredTrace: THEIRS,
      dishonoredSettledOn: '344',
      dishonoredCode: '68',
    });
    const change = CHANGE.write({ ...common, code: 'C01', corrected: '4400918' });
    const followsOf = async (addenda: string) =>
      (await read(fileOf(addenda).join('\n'))).entries[0]?.follows;
    expect(await followsOf(dishonored)).toEqual([
      { kind: 'dishonored', code: 'R68', originalTrace: OURS, returnTrace: THEIRS },
    ]);
    expect(await followsOf(contested)).toEqual([
      { kind: 'contested', code: 'R73', originalTrace: OURS, returnTrace: THEIRS },
    ]);
    expect(await followsOf(change)).toEqual([
      {
        kind: 'change',
        code: 'C01',
        originalTrace: OURS,
        corrected: '4400918',
        traceNumber: THEIRS,
      },
    ]);
  });

  it.each<[string, readonly string[], number, [number, number] | null]>([
    ['nothing', [], 1, null],
    ['no file header', without(0), 1, [1, 1]],
    ['no batch header', without(1), 2, [1, 1]],
    ['no addenda', without(3), 3, [79, 79]],
    ['no batch control', without(4), 5, [1, 1]],
    ['no file control', GOOD.slice(0, 5), 5, null],
    ['no file control but nines', without(5), 6, [2, 7]],
    ['a batch that ends in an entry', GOOD.slice(0, 3), 3, null],
    ['a record after its end', [...GOOD, entryOf()], 11, null],
    ['nines that fill no block', GOOD.slice(0, 9), 9, null],
    ['a second header', replaced(1, header), 2, [1, 1]],
    ['another record size', edited(0, 35, '095'), 1, [35, 37]],
    ['a day that is none', edited(0, 24, '260230'), 1, [24, 29]],
    ['an unknown service class', edited(1, 2, '280'), 2, [2, 4]],
    ['a credit in a batch of debits', edited(1, 2, '225'), 3, [2, 3]],
    ['an unknown transaction code', edited(2, 2, '60'), 3, [2, 3]],
    ['a wrong check digit', edited(2, 12, '5'), 3, [4, 12]],
    ['letters in an amount', edited(2, 30, '00000620O0'), 3, [30, 39]],
    ['an amount that differs by a cent', edited(2, 30, '0000062001'), 5, [33, 44]],
    ['an indicator without addenda', edited(2, 79, '0'), 4, [1, 1]],
    ['R97', replaced(3, returnOf('R97')), 4, [4, 6]],
    ['C14', edited(3, 2, '98C14'), 4, [4, 6]],
    ['addenda of another type', edited(3, 2, '10'), 4, [2, 3]],
    ['a cut trace number', edited(3, 7, '08420731       '), 4, [7, 21]],
    ['a wrong count', edited(4, 5, '000003'), 5, [5, 10]],
    ['a wrong hash', edited(4, 11, '0023138011'), 5, [11, 20]],
    ['another company', edited(4, 45, '191234568'), 5, [45, 54]],
    ['another batch number', edited(4, 88, '0000002'), 5, [88, 94]],
    ['a wrong number of batches', edited(5, 2, '000002'), 6, [2, 7]],
    ['a wrong number of blocks', edited(5, 8, '000002'), 6, [8, 13]],
    ['a wrong total', edited(5, 44, '000000062001'), 6, [44, 55]],
    ['a record of 95', replaced(2, `${entryOf()}1`), 3, [95, 95]],
    ['an accent', edited(2, 55, 'José'), 3, [58, 58]],
    ['a tab', edited(2, 55, 'Jo\t'), 3, [57, 57]],
  ])('is refused with %s, by record and columns', async (_what, lines, record, columns) => {
    const reading = read(lines.join('\n'));
    await expect(reading).rejects.toThrow(NachaFault);
    const [from, to] = columns ?? [];
    await expect(reading).rejects.toMatchObject({ record, columns: columns && { from, to } });
    await expect(reading).rejects.not.toThrow(/4400917/);
  });

  it('is refused wherever it is cut off', async () => {
    const text = GOOD.slice(0, 6).join('\n');
    // The last record ends with 39 blanks, which may be left out.
    for (let length = 0; length < text.length - 39; length += 1) {
      await expect(read(text.slice(0, length)), String(length)).rejects.toThrow(NachaFault);
    }
    const single = GOOD.join('');
    for (let length = 1; length < 94 * 6; length += 7) {
      await expect(read(single.slice(0, length)), String(length)).rejects.toThrow(NachaFault);
    }
  });

  it('is refused as one endless line before it has arrived', async () => {
    let parts = 0;
    const endless = function* endless() {
      for (; parts < 1000; parts += 1) yield ' '.repeat(500);
    };
    await expect(readNacha(endless(), () => {})).rejects.toThrow(NachaFault);
    expect(parts).toBeLessThan(5);
  });
});
