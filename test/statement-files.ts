import fc from 'fast-check';
import { decimalAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';

/** A line of a statement that a test writes into a file of any format. */
export interface WrittenLine {
  day: string;
  amountMinor: bigint;
  reference: string;
  endToEnd: string;
  trace: string;
  text: string;
  counterparty: string;
}

export interface WrittenStatement {
  iban: string;
  currency: Currency;
  openingMinor: bigint;
  lines: WrittenLine[];
  /** Days of its balances; long before and after the lines if left out. */
  period?: { from: string; to: string };
}

const IBAN = 'NL26VAYB8060476890';

export function closingOf({ openingMinor, lines }: WrittenStatement): bigint {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, openingMinor);
}

/** Words with characters that every format has to escape. */
const words = fc
  .string({
    unit: fc.constantFrom(...Array.from('abcXYZ019&<>"\'.,;:/()äéß€ -')),
    minLength: 1,
    maxLength: 30,
  })
  .map((text) => text.replaceAll(/\s+/g, ' ').trim())
  .filter((text) => text !== '');
const minor = fc
  .bigInt({ min: -7_000_000_000_000n, max: 7_000_000_000_000n })
  .filter((each) => each !== 0n);
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Statements of up to 12 lines in the order of their days. */
export const statements: fc.Arbitrary<WrittenStatement> = fc
  .record({
    iban: fc.constant(IBAN),
    currency: fc.constantFrom<Currency>('USD', 'EUR', 'GBP'),
    openingMinor: minor,
    lines: fc.array(
      fc.record({
        day,
        amountMinor: minor,
        text: words,
        counterparty: words,
        reference: words,
        endToEnd: words.map((text) => `E${text}`),
        trace: words,
      }),
      { maxLength: 12 },
    ),
  })
  .map((one) => ({ ...one, lines: one.lines.toSorted((a, b) => (a.day < b.day ? -1 : 1)) }));

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const absolute = (amount: bigint) => decimalAmount(amount < 0n ? -amount : amount);
const indicator = (amount: bigint) => `<CdtDbtInd>${amount < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

/** A camt.053 file as version 2 to 13 write it. */
export function camt053(version: number, ...written: readonly WrittenStatement[]): string {
  const statement = (one: WrittenStatement) => {
    const { from, to } = one.period ?? { from: '2020-01-01', to: '2039-12-31' };
    const amountOf = (amount: bigint) =>
      `<Amt Ccy="${one.currency}">${absolute(amount)}</Amt>${indicator(amount)}`;
    const balance = (code: string, amount: bigint, on: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountOf(amount)}<Dt><Dt>${on}</Dt></Dt></Bal>`;
    const party = (text: string) =>
      version >= 8 ? `<Pty><Nm>${escaped(text)}</Nm></Pty>` : `<Nm>${escaped(text)}</Nm>`;
    const entry = (line: WrittenLine) => {
      const role = line.amountMinor < 0n ? 'Cdtr' : 'Dbtr';
      return `<Ntry>${amountOf(line.amountMinor)}<Sts>${version >= 7 ? '<Cd>BOOK</Cd>' : 'BOOK'}</Sts>
        <BookgDt><DtTm>${line.day}T23:59:59+14:00</DtTm></BookgDt><AcctSvcrRef>${escaped(line.reference)}</AcctSvcrRef>
        <NtryDtls><TxDtls><Refs><EndToEndId>${escaped(line.endToEnd)}</EndToEndId><TxId>${escaped(line.trace)}</TxId></Refs>
        <RltdPties><${role}>${party(line.counterparty)}</${role}></RltdPties>
        <RmtInf><Ustrd>${escaped(line.text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
    };
    return `<Stmt><Id>1</Id><Acct><Id><IBAN>${one.iban}</IBAN></Id><Ccy>${one.currency}</Ccy></Acct>
      ${balance('OPBD', one.openingMinor, from)}${balance('CLBD', closingOf(one), to)}
      ${one.lines.map(entry).join('\n')}</Stmt>`;
  };
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${String(version).padStart(2, '0')}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}"><BkToCstmrStmt><GrpHdr/>${written
    .map(statement)
    .join('')}</BkToCstmrStmt></Document>`;
}

/** An OFX file: version 1 leaves out the end tags of texts, version 2 is XML. */
export function ofx(version: 1 | 2, one: WrittenStatement): string {
  const field = (name: string, text: string) =>
    `<${name}>${escaped(text)}${version === 1 ? '\n' : `</${name}>`}`;
  const transaction = (line: WrittenLine) =>
    `<STMTTRN>${field('TRNTYPE', 'OTHER')}${field('DTPOSTED', `${line.day.replaceAll('-', '')}120000.000[-5:EST]`)}` +
    `${field('TRNAMT', decimalAmount(line.amountMinor))}${field('FITID', line.reference)}${field('REFNUM', line.endToEnd)}` +
    `${field('NAME', line.counterparty)}${field('MEMO', line.text)}</STMTTRN>\n`;
  const header =
    version === 1
      ? 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\n\r\n'
      : '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE"?>\n';
  return `${header}<OFX><BANKMSGSRSV1><STMTTRNRS>${field('TRNUID', '0')}<STMTRS>${field('CURDEF', one.currency)}
    <BANKACCTFROM>${field('BANKID', '021000021')}${field('ACCTID', '4410')}${field('ACCTTYPE', 'CHECKING')}</BANKACCTFROM>
    <BANKTRANLIST>${field('DTSTART', '20200101')}${field('DTEND', '20391231')}${one.lines.map(transaction).join('')}</BANKTRANLIST>
    <LEDGERBAL>${field('BALAMT', decimalAmount(closingOf(one)))}${field('DTASOF', '20391231')}</LEDGERBAL>
    </STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}
