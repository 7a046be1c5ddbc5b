import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '#test/garbage.ts';
import { processorMs } from '#test/processor-time.ts';
import { camt053, closingOf, ofx, statements } from '#test/statement-files.ts';
import type { WrittenLine, WrittenStatement } from '#test/statement-files.ts';
import { readStatementFile } from './read-statement-file.ts';
import type { Statement, StatementLine } from './statement.ts';

const ONE: WrittenStatement = {
  iban: 'NL26VAYB8060476890',
  currency: 'EUR',
  openingMinor: 1815n,
  lines: [line('2026-12-03', 885n), line('2026-12-04', -700n)],
};

function line(day: string, amountMinor: bigint): WrittenLine {
  const words = { endToEnd: 'DEP-48209944', trace: '021000020000001', counterparty: 'Ana Popescu' };
  return { ...words, day, amountMinor, reference: `R${amountMinor}`, text: 'Pay back' };
}

async function read(file: string | Buffer): Promise<readonly Statement[]> {
  const result = await readStatementFile(typeof file === 'string' ? Buffer.from(file) : file);
  if (result.format === 'csv') throw new Error('taken for CSV');
  return result.statements;
}

async function only(file: string | Buffer): Promise<Statement> {
  const found = await read(file);
  expect(found).toHaveLength(1);
  return found[0] as Statement;
}

/** Refuses the file with this place and reason. */
async function expectRefusal(file: string | Buffer, place: string, why: string) {
  const refusal = {
    code: 'statement_unreadable',
    details: { place: expect.stringContaining(place), why: expect.stringContaining(why) },
  };
  await expect(read(file)).rejects.toMatchObject(refusal);
}

/** ONE as version 8 with a part of its text replaced. */
function changed(from: string | RegExp, to: string, version = 8): string {
  const file = camt053(version, ONE);
  expect(file.search(from)).toBeGreaterThan(-1);
  return file.replace(from, to);
}

const shape = ({ place: _place, ...kept }: StatementLine) => kept;

describe.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('camt.053 version %i', (version) => {
  it('reads what was written', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async (written) => {
        const found = await only(camt053(version, written));
        expect(found).toMatchObject({
          account: { iban: written.iban, accountNumber: null },
          currency: written.currency,
          opening: { day: '2020-01-01', amountMinor: written.openingMinor },
          closing: { day: '2039-12-31', amountMinor: closingOf(written) },
        });
        expect(found.lines.map(shape)).toEqual(
          written.lines.map((one) => ({
            bookingDay: one.day,
            valueDay: null,
            amountMinor: one.amountMinor,
            bankReference: one.reference,
            endToEndReference: one.endToEnd,
            trace: one.trace,
            text: one.text,
            counterparty: one.counterparty,
            batchReference: null,
            isReversal: false,
            parts: [],
          })),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('camt.053', () => {
  it('reads several statements, also of several accounts', async () => {
    const next = { ...ONE, openingMinor: closingOf(ONE) };
    const other = { ...ONE, iban: 'DE89370400440532013000' };
    expect(await read(camt053(8, ONE, next, other))).toHaveLength(3);
    await expectRefusal(camt053(8, ONE, ONE), 'Statement 2', 'the one before closed with 20.00');
  });

  it('reads a prefix of its namespace, and leaves out elements of others', async () => {
    const prefixed = camt053(2, ONE)
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1b:')
      .replace('xmlns=', 'xmlns:b=')
      .replace(
        '<b:Ntry>',
        '<b:Ntry><x:Amt xmlns:x="urn:x" Ccy="XXX">9</x:Amt><Sts xmlns="urn:y">PDNG</Sts>',
      );
    expect((await only(prefixed)).lines).toHaveLength(2);
  });

  it('reads elements that declare its namespace again', async () => {
    const again = changed(
      '<BkToCstmrStmt>',
      '<BkToCstmrStmt xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
    );
    expect(await read(again)).toEqual(await read(camt053(8, ONE)));
  });

  it('reads a message in an envelope', async () => {
    const written = camt053(8, ONE);
    const message = written.slice(written.indexOf('<Document'));
    const header =
      '<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><Fr>X</Fr></AppHdr>';
    const expected = await read(message);
    for (const name of ['BizMsgEnvlp', 'e:Envelope']) {
      const around = `<${name} xmlns="urn:x" xmlns:e="urn:e">${header}<Body>${message}</Body></${name}>`;
      expect((await only(around)).lines.map(shape)).toEqual(expected[0]?.lines.map(shape));
    }
    await expectRefusal('<Envelope><AppHdr/></Envelope>', 'Line 1', 'not a camt.053 statement');
  });

  it('reads the namespace that an envelope declares', async () => {
    const declared = 'xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"';
    const message = camt053(8, ONE)
      .replace(/^<\?.*?\?>/, '')
      .replace(declared, '')
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1d:');
    const around = `<Xchg ${declared.replace('xmlns', 'xmlns:d')}>${message}</Xchg>`;
    expect((await only(around)).lines).toHaveLength(2);
  });

  it('takes an account in another spelling for the same one', async () => {
    const next = { ...ONE, openingMinor: closingOf(ONE), iban: 'nl26 vayb 8060 4768 90' };
    expect(await read(camt053(8, ONE, next))).toHaveLength(2);
    const gap = { ...next, openingMinor: 0n };
    await expectRefusal(camt053(8, ONE, gap), 'Statement 2', 'the one before closed with 20.00');
  });

  it('reads a batch with its payments', async () => {
    const batch =
      '<NtryDtls><Btch><PmtInfId>PO-0028</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>' +
      ['300', '585']
        .map(
          (cents) =>
            `<TxDtls><Refs><EndToEndId>E${cents}</EndToEndId></Refs><Amt Ccy="EUR">${Number(cents) / 100}</Amt></TxDtls>`,
        )
        .join('') +
      '</NtryDtls>';
    const file = changed(/<NtryDtls>.*?<\/NtryDtls>/s, batch);
    expect((await only(file)).lines[0]).toMatchObject({
      batchReference: 'PO-0028',
      endToEndReference: null,
      amountMinor: 885n,
      parts: [
        { endToEndReference: 'E300', amountMinor: 300n },
        { endToEndReference: 'E585', amountMinor: 585n },
      ],
    });
    await expectRefusal(file.replace('>5.85<', '>5.84<'), 'Ntry[1]/NtryDtls', 'do not add up');
    await expectRefusal(file.replace('>2<', '>3<'), 'NbOfTxs', 'it counts 3 payments and has 2');
    const foreign = file.replace('Ccy="EUR">5.85', 'Ccy="SEK">61.00');
    expect((await only(foreign)).lines[0]?.parts[1]?.amountMinor).toBeNull();
  });

  it.each([
    ['<Sts>PDNG</Sts>', 'pending'],
    ['<Sts><Cd>FUTR</Cd></Sts>', 'in the future'],
    ['<Sts><Cd>INFO</Cd></Sts>', 'for information'],
  ])('leaves out and counts an entry of %s', async (status, word) => {
    const entry = `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${status}</Ntry>`;
    expect(await only(changed('<Ntry>', `${entry}<Ntry>`))).toMatchObject({
      lines: [{ amountMinor: 885n }, { amountMinor: -700n }],
      notBooked: [{ status: word, count: 1 }],
    });
  });

  it('takes the sign of a reversal from its indicator, and its counterparty from the first payment', async () => {
    const file = changed('</CdtDbtInd><Sts>', '</CdtDbtInd><RvslInd>true</RvslInd><Sts>');
    const found = await only(file.replace('<Dbtr>', '<Cdtr>').replace('</Dbtr>', '</Cdtr>'));
    expect(found.lines[0]).toMatchObject({
      isReversal: true,
      amountMinor: 885n,
      counterparty: 'Ana Popescu',
    });
  });

  it('takes zeros behind the cents, which carry no value', async () => {
    const written = (await only(camt053(8, ONE))).lines[0]?.amountMinor;
    for (const amount of ['8.850', '8.8500', '8.85000']) {
      const { lines } = await only(changed('>8.85<', `>${amount}<`));
      expect(lines[0]?.amountMinor).toBe(written);
    }
  });

  it('takes NOTPROVIDED for no reference', async () => {
    const file = changed('<EndToEndId>DEP-48209944<', '<EndToEndId>NOTPROVIDED<');
    expect((await only(file)).lines[0]?.endToEndReference).toBeNull();
  });

  it.each<[string, string | RegExp, string, string, string]>([
    ['five decimals', '>8.85<', '>8.85001<', 'Stmt[1]/Ntry[1]/Amt', '“8.85001” is not an amount'],
    ['six decimals', '>8.85<', '>8.850000<', 'Stmt[1]/Ntry[1]/Amt', '“8.850000” is not an amount'],
    ['a negative amount', '>8.85<', '>-8.85<', 'Ntry[1]/Amt', 'is not an amount'],
    ['an amount of 13 digits', '>8.85<', '>1000000000000.00<', 'Ntry[1]/Amt', 'is not an amount'],
    [
      'another currency of a line',
      '<Amt Ccy="EUR">7.00',
      '<Amt Ccy="SEK">7.00',
      'Ntry[2]/Amt',
      'it is in “SEK”, and the account in EUR',
    ],
    [
      'another currency of the balance',
      /Ccy="EUR">20.00/,
      'Ccy="SEK">20.00',
      'Bal[2]/Amt',
      'it is in “SEK”',
    ],
    ['a currency that Purser has not', '<Ccy>EUR<', '<Ccy>JPY<', 'Acct/Ccy', '“JPY” is not one of'],
    [
      'a closing balance that differs by a cent',
      '>20.00<',
      '>20.01<',
      'Statement 1',
      '18.15 and its lines make 20.00, but it closes with 20.01 EUR',
    ],
    ['no closing balance', 'CLBD', 'CLAV', 'Stmt[1]', 'no closing balance'],
    ['two opening balances', 'CLBD', 'OPBD', 'Bal[2]', 'a second opening balance'],
    ['no indicator', '<CdtDbtInd>DBIT</CdtDbtInd>', '', 'Ntry[2]/CdtDbtInd', 'is not CRDT or DBIT'],
    ['a status of its own', '<Cd>BOOK</Cd>', '<Prtry>DONE</Prtry>', 'Ntry[1]/Sts', 'is not BOOK'],
    ['a day that is none', '2026-12-03T23', '2026-13-03T23', 'Ntry[1]/BookgDt', 'is not a day'],
    ['another message', 'camt.053.001.08', 'camt.054.001.08', 'Line 2', 'this is camt.054, not'],
    ['a later version', 'camt.053.001.08', 'camt.053.001.14', 'Line 2', 'version 14'],
    ['an earlier version', 'camt.053.001.08', 'camt.053.001.01', 'Line 2', 'version 1'],
    ['no statement', /<Stmt>.*<\/Stmt>/s, '', 'The file', 'no statement'],
    ['a tag that is not closed', '</Ntry>', '', 'Line', 'Unexpected close tag'],
    ['a file that breaks off', '</BkToCstmrStmt></Document>', '', 'Line', 'Unclosed root tag'],
    ['an entity of its own', 'Pay back', '&bank;', 'Line', 'Invalid character entity'],
    [
      'an entity of an object’s methods',
      'Pay back',
      '&constructor;',
      'Line',
      'Invalid character entity',
    ],
  ])('refuses %s', async (_what, from, to, place, why) => {
    await expectRefusal(changed(from, to), place, why);
  });

  it('refuses a document type before anything is expanded, 10 MB of entities in a second of processor time', async () => {
    const laughs = Array.from(
      { length: 20 },
      (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
    ).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY e0 "${'ha'.repeat(100)}">${laughs}]><Document>&e20;</Document>`;
    await expectRefusal(bomb, 'Line 1', 'document type');
    const long = `<?xml version="1.0"?><!DOCTYPE d [${'<!ENTITY a "&b;&b;&b;&b;">'.repeat(380_000)}]><d/>`;
    const usedMs = await processorMs(() => expectRefusal(long, 'Line 1', 'doctype'));
    expect(usedMs).toBeLessThan(1_000);
  });

  it.each<[string, string, string]>([
    ['nested elements', '<a>'.repeat(3_000_000), 'nested too deeply'],
    [
      'attributes',
      `<Document ${Array.from({ length: 500_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
      'too many attributes',
    ],
    ['text', `<Document><a>${'x'.repeat(9_000_000)}</a></Document>`, 'too long'],
    ['one name', `<${'x'.repeat(9_000_000)}/>`, 'Max buffer length'],
  ])('refuses 9 MB of %s in two seconds of processor time and 100 MB', async (_what, body, why) => {
    const file = Buffer.from(`<?xml version="1.0"?>${body}`);
    collectGarbage();
    const memory = process.memoryUsage().rss;
    const usedMs = await processorMs(() => expectRefusal(file, 'Line 1', why));
    expect(usedMs).toBeLessThan(2_000);
    expect(process.memoryUsage().rss - memory).toBeLessThan(100_000_000);
  });
});

describe.each([1, 2] as const)('OFX %i', (version) => {
  it('reads what was written', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async (written) => {
        const found = await only(ofx(version, written));
        expect(found).toMatchObject({
          account: { iban: null, routingNumber: '021000021', accountNumber: '4410' },
          currency: written.currency,
          opening: { day: '2020-01-01', amountMinor: written.openingMinor },
          closing: { day: '2039-12-31', amountMinor: closingOf(written) },
        });
        expect(found.lines.map(shape)).toEqual(
          written.lines.map((one) => ({
            bookingDay: one.day,
            valueDay: null,
            amountMinor: one.amountMinor,
            bankReference: one.reference,
            endToEndReference: one.endToEnd,
            trace: null,
            text: `${one.counterparty} ${one.text}`,
            counterparty: one.counterparty,
            batchReference: null,
            isReversal: false,
            parts: [],
          })),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('takes an amount that begins with its point', async () => {
    const { lines } = await only(ofx(version, ONE).replace('8.85', '.50').replace('-7.00', '-.7'));
    expect(lines.map(({ amountMinor }) => amountMinor)).toEqual([50n, -70n]);
  });

  it.each<[string, string | RegExp, string, string, string]>([
    ['three decimals', '8.85', '8.851', 'TRNAMT', 'is not an amount'],
    ['a point alone', '8.85', '.', 'TRNAMT', 'is not an amount'],
    ['thousands', '8.85', '1,008.85', 'TRNAMT', 'is not an amount'],
    ['no currency', /<CURDEF>EUR(\n|<\/CURDEF>)/, '', 'STMTRS', 'no CURDEF'],
    [
      'another currency',
      '<FITID>',
      '<CURRENCY><CURSYM>SEK</CURRENCY><FITID>'.replace(
        'SEK',
        version === 1 ? 'SEK' : 'SEK</CURSYM>',
      ),
      'CURSYM',
      'it is in “SEK”',
    ],
    ['no balance', /<LEDGERBAL>.*<\/LEDGERBAL>/s, '', 'Line', 'no balance'],
    ['a day that is none', '20261203', '20261303', 'DTPOSTED', 'is not a day'],
    ['no number of the bank', /<FITID>R885(\n|<\/FITID>)/, '', 'STMTTRN', 'no FITID'],
    ['a credit card', /STMTRS/g, 'CCSTMTRS', 'Line', 'credit card'],
    ['a document type', '<OFX>', '<!DOCTYPE OFX [<!ENTITY a "b">]><OFX>', 'Line', 'document type'],
    [
      'a file that breaks off',
      /<\/BANKTRANLIST>.*/s,
      '',
      'Line',
      version === 1 ? 'breaks off' : 'Unclosed root tag',
    ],
  ])('refuses %s', async (_what, from, to, place, why) => {
    const file = ofx(version, ONE);
    expect(file.search(from)).toBeGreaterThan(-1);
    await expectRefusal(file.replace(from, to), place, why);
  });

  it('reads a comma before the cents', async () => {
    expect((await only(ofx(version, ONE).replace('8.85', '+8,85'))).lines[0]?.amountMinor).toBe(
      885n,
    );
  });
});

describe.each([1, 2] as const)('OFX %i with pending transactions', (version) => {
  it.each(['STMTTRNP', 'STMTTRN'])('leaves out and counts each %s of their list', async (name) => {
    const transaction = `<${name}><TRNAMT>5.00</TRNAMT><CURRENCY><CURSYM>CHF</CURSYM></CURRENCY></${name}>`;
    const pending = `<BANKTRANLISTP>${transaction}${transaction}</BANKTRANLISTP>`;
    const file = ofx(version, ONE).replace('</BANKTRANLIST>', `</BANKTRANLIST>${pending}`);
    expect(await only(file)).toMatchObject({
      opening: { amountMinor: 1815n },
      lines: [{ amountMinor: 885n }, { amountMinor: -700n }],
      notBooked: [{ status: 'pending', count: 2 }],
    });
  });
});

describe('OFX 1', () => {
  it('reads Latin-1 and an ampersand that is not escaped', async () => {
    const file = Buffer.from(ofx(1, ONE).replace('Ana Popescu', 'Müller & Söhne'), 'latin1');
    expect((await only(file)).lines[0]?.counterparty).toBe('Müller & Söhne');
  });

  it('reads empty elements, and elements of the bank’s own', async () => {
    const file = ofx(1, ONE).replace('<FITID>', '<SIC>\n<INTU.BID>3000\n<FITID>');
    expect((await only(file)).lines[0]?.bankReference).toBe('R885');
  });

  it('reads an end tag where others have none', async () => {
    const file = ofx(1, ONE)
      .replace(/<FITID>(\S+)/, '<FITID>$1</FITID>')
      .replaceAll('\n', '\r\n');
    expect((await only(file)).lines[0]).toMatchObject({ bankReference: 'R885', place: 'Line 18' });
  });

  it.each<[string, string | RegExp, string, string]>([
    ['a transaction that is not closed', '</STMTTRN>', '', 'the STMTTRN before has no end tag'],
    ['a compressed file', 'COMPRESSION:NONE', 'COMPRESSION:GZIP', 'COMPRESSION is GZIP'],
    ['an encrypted file', 'SECURITY:NONE', 'SECURITY:TYPE1', 'SECURITY is TYPE1'],
    [
      'a bank’s error',
      '<STMTRS>',
      '<STATUS><CODE>2000<SEVERITY>ERROR</STATUS><STMTRS>',
      'error (2000)',
    ],
    ['9 MB of tags that are not closed', '<STMTTRN>', '<X>'.repeat(3_000_000), 'no end tag'],
  ])('refuses %s', async (_what, from, to, why) => {
    await expectRefusal(ofx(1, ONE).replace(from, to), 'Line', why);
  });
});

describe('a file in a format that is not read', () => {
  it.each([
    ['MT940', ':20:STARTUMSE\n:25:37040044/0532013000\n:28C:1/1\n:60F:C261101EUR1000,00\n'],
    ['MT940', '\u00ef\u00bb\u00bf{1:F01BANKDEFFXXXX}{2:O940N}{4:\r\n:20:STARTUMSE\r\n'],
    ['BAI2', '01,021000021,9999999,261102,1200,1,80,10,2/\n02,9999999,021000021,1,261102,1200/\n'],
    ['QIF', '!Type:Bank\nD11/02/2026\nT-12.50\n^\n'],
    ['PDF', '%PDF-1.7\n1 0 obj\n'],
    ['ZIP', 'PK\u0003\u0004\u0014\u0000'],
    ['compressed', '\u001f\u008b\u0008\u0000'],
    ['NACHA', '101 031300012 3138010411908161055A094101Federal Reserve Bank   My Bank\n'],
    ['NACHA', '101 03130001202313801041908161055A094101Federal Reserve Bank   My Bank\n'],
  ])('is refused as %s', async (name, text) => {
    await expectRefusal(Buffer.from(text, 'latin1'), 'The file', name);
  });
});
