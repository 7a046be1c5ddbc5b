import type { SAXParser } from 'sax';
import { CURRENCIES } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { dayOf } from '#contract/typed-day.ts';
import { plainAmount } from '#server/lib/iso20022.ts';
import { tagReader } from '#server/lib/xml.ts';
import { NotBookedCount } from './line-words.ts';
import {
  STATEMENT_MAX_LINES,
  statementProblem,
  statementText,
  statementWord,
  sumMinor,
} from './statement.ts';
import type { Statement, StatementLine } from './statement.ts';

/** Elements that contain others. Every other element has a text, and OFX 1 leaves out its end tag. OFX 1.6 and 2.2. */
const AGGREGATES = new Set([
  'OFX',
  'SONRS',
  'STATUS',
  'FI',
  'SIGNONMSGSRSV1',
  'BANKMSGSRSV1',
  'STMTTRNRS',
  'STMTRS',
  'BANKACCTFROM',
  'BANKTRANLIST',
  'STMTTRN',
  'LEDGERBAL',
  'AVAILBAL',
  'BALLIST',
  'BAL',
  'PAYEE',
  'BANKACCTTO',
  'CCACCTTO',
  'CURRENCY',
  'ORIGCURRENCY',
  'IMAGEDATA',
  'BANKTRANLISTP',
  'CREDITCARDMSGSRSV1',
  'CCSTMTTRNRS',
  'CCSTMTRS',
  'CCACCTFROM',
  'INVSTMTMSGSRSV1',
  'STMTTRNP',
]);
/** Messages that are no statement of a bank account. */
const OTHERS: Readonly<Record<string, string>> = {
  CCSTMTRS: 'this is the statement of a credit card',
  INVSTMTMSGSRSV1: 'this is the statement of an investment account',
};
/** Deepest nesting: a transaction of OFX 1 has at most 30 elements, each within the one before. */
const MOST_DEPTH = 100;
const MOST_TEXT = 10_000;

/**
 * Statements of an OFX file, not yet checked by `checkStatements`. OFX 1 is SGML, whose end tags may be missing; OFX 2 is
 * XML. The day of a time is the one that the bank wrote. The opening balance is the closing one less the lines, because
 * OFX has none. Source: OFX 1.6 and 2.2, section 11.4.
 *
 * @throws {AppError} `statement_unreadable` with the line and the name of the element
 */
export async function readOfx(text: AsyncIterable<string>): Promise<Statement[]> {
  const reader = new OfxReader();
  for await (const slice of text) reader.read(slice);
  return reader.end();
}

/** An element that contains others, with the texts of those, and of nearer ones in it. */
interface Aggregate {
  name: string;
  line: number;
  values: Map<string, string>;
}

class OfxReader {
  /** Start of the file, until it is known whether it is OFX 1. */
  #head: string | null = '';
  /** Line ends of the header of OFX 1, which `sax` does not see. */
  #headLines = 0;
  #parser: SAXParser | undefined;
  /** Open elements, whether they are aggregates or not. */
  readonly #open: string[] = [];
  readonly #aggregates: Aggregate[] = [];
  #text = '';
  #statement: OfxStatement | null = null;
  readonly #statements: Statement[] = [];

  read(slice: string): void {
    if (this.#head === null) {
      this.#parser?.write(slice);
      return;
    }
    this.#head += slice;
    const start = this.#head.indexOf('<');
    if (start < 0 && this.#head.length < MOST_TEXT) return;
    const body = this.#head.slice(Math.max(start, 0));
    const header = this.#head.slice(0, Math.max(start, 0));
    this.#head = null;
    this.#begin(header, body);
    this.#parser?.write(body);
  }

  end(): Statement[] {
    if (this.#parser === undefined) throw statementProblem('Line 1', 'this is not an OFX file');
    this.#parser.close();
    if (this.#statement !== null) throw this.#refused('the file breaks off within a statement');
    return this.#statements;
  }

  /** @throws {AppError} `statement_unreadable` for a header that says the file is encrypted or compressed */
  #begin(header: string, body: string): void {
    for (const [, name = '', value = ''] of header.matchAll(/^\s*(\w+):\s*(\S*)\s*$/gm)) {
      if (['SECURITY', 'COMPRESSION'].includes(name) && value !== 'NONE') {
        throw statementProblem('Line 1', `${name} is ${value.slice(0, 20)}; it has to be NONE`);
      }
    }
    this.#headLines = header.split('\n').length - 1;
    this.#parser = tagReader({
      // `sax` closes the open tags of SGML where it can. A missing element is refused below.
      isStrict: body.startsWith('<?'),
      refuse: (why) => this.#refused(why),
      begin: (name) => {
        this.#openElement(name.toUpperCase());
      },
      addText: (part) => {
        this.#addText(part);
      },
      finish: () => {
        this.#closeElement();
      },
    });
  }

  #addText(part: string): void {
    this.#text += part;
    if (this.#text.length > MOST_TEXT) throw this.#refused('the text of an element is too long');
  }

  #openElement(name: string): void {
    if (this.#open.length === 0 && name !== 'OFX') throw this.#refused('this is not an OFX file');
    this.#keepText();
    if (this.#open.length >= MOST_DEPTH) throw this.#refused('an element has no end tag');
    this.#open.push(name);
    const other = OTHERS[name];
    if (other !== undefined) throw this.#refused(other);
    if (!AGGREGATES.has(name)) return;
    if (this.#aggregates.some((each) => each.name === name)) {
      throw this.#refused(`the ${name} before has no end tag`);
    }
    this.#aggregates.push({ name, line: this.#line, values: new Map() });
    if (name === 'STMTRS') this.#statement = new OfxStatement(this.#line);
  }

  #closeElement(): void {
    this.#keepText();
    const name = this.#open.pop() ?? '';
    if (this.#aggregates.at(-1)?.name !== name) return;
    const aggregate = this.#aggregates.pop();
    if (aggregate === undefined) return;
    if (name === 'STATUS') this.#checkStatus(aggregate);
    if (this.#statement === null) return;
    if (name === 'STMTRS') {
      this.#statements.push(this.#statement.end(aggregate));
      this.#statement = null;
    } else this.#statement.add(aggregate, this.#aggregates);
  }

  /** Keeps the text of the element that ends, or that another one follows, with its aggregate. The first of a name counts. */
  #keepText(): void {
    const [name, text] = [this.#open.at(-1) ?? '', this.#text.trim()];
    this.#text = '';
    const values = this.#aggregates.at(-1)?.values;
    if (text === '' || AGGREGATES.has(name) || values === undefined || values.has(name)) return;
    values.set(name, text);
  }

  #checkStatus({ values }: Aggregate): void {
    if (values.get('SEVERITY')?.toUpperCase() !== 'ERROR') return;
    const words = statementText([values.get('CODE') ?? '', values.get('MESSAGE') ?? '']);
    throw this.#refused(`the bank answered with an error (${words})`);
  }

  get #line(): number {
    return this.#headLines + (this.#parser?.line ?? 0) + 1;
  }

  #refused(why: string): Error {
    return statementProblem(`Line ${this.#line}`, why);
  }
}

class OfxStatement {
  readonly #startLine: number;
  #account: Aggregate | undefined;
  #balance: Aggregate | undefined;
  #list: Aggregate | undefined;
  readonly #lines: StatementLine[] = [];
  readonly #notBooked = new NotBookedCount();
  /** Currencies that transactions name for themselves, with their line. */
  readonly #currencies: { code: string; line: number }[] = [];

  constructor(line: number) {
    this.#startLine = line;
  }

  /** @param parents aggregates in which this one is, the outermost first */
  add(aggregate: Aggregate, parents: readonly Aggregate[]): void {
    const { name, values, line } = aggregate;
    // A list of its own has what is pending (OFX 2.2, section 11.4.3.2).
    if (parents.some((each) => each.name === 'BANKTRANLISTP')) {
      if (name === 'STMTTRNP' || name === 'STMTTRN') this.#notBooked.add('pending');
    } else if (name === 'BANKACCTFROM') this.#account = aggregate;
    else if (name === 'LEDGERBAL') this.#balance = aggregate;
    else if (name === 'BANKTRANLIST') this.#list = aggregate;
    else if (name === 'CURRENCY') this.#currencies.push({ code: values.get('CURSYM') ?? '', line });
    else if (name === 'PAYEE') parents.at(-1)?.values.set('NAME', values.get('NAME') ?? '');
    else if (name === 'STMTTRN') this.#addLine(aggregate);
  }

  end(own: Aggregate): Statement {
    const currency = this.#currencyOf(own);
    const account = this.#account;
    const place = `Line ${this.#startLine}`;
    if (account === undefined) throw statementProblem(place, 'it names no account (BANKACCTFROM)');
    if (this.#balance === undefined) throw statementProblem(place, 'it has no balance (LEDGERBAL)');
    const closing = {
      day: dayIn(this.#balance, 'DTASOF'),
      amountMinor: signedAmount(this.#balance, 'BALAMT'),
    };
    const day =
      this.#list?.values.has('DTSTART') === true ? dayIn(this.#list, 'DTSTART') : closing.day;
    const accountNumber = valueOf(account, 'ACCTID').replaceAll(/\s/g, '').toUpperCase();
    const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(accountNumber);
    return {
      account: {
        iban: isIban ? accountNumber : null,
        routingNumber: isIban ? null : (account.values.get('BANKID') ?? null),
        accountNumber: isIban ? null : accountNumber,
      },
      currency,
      opening: { day, amountMinor: closing.amountMinor - sumMinor(this.#lines) },
      closing,
      lines: this.#lines,
      notBooked: this.#notBooked.all,
    };
  }

  #currencyOf(own: Aggregate): Currency {
    const written = valueOf(own, 'CURDEF');
    const currency = CURRENCIES.find((each) => each === written);
    if (currency === undefined) {
      throw statementProblem(
        `Line ${own.line}, CURDEF`,
        `“${written.slice(0, 10)}” is not one of ${CURRENCIES.join(', ')}`,
      );
    }
    const other = this.#currencies.find(({ code }) => code !== currency);
    if (other === undefined) return currency;
    throw statementProblem(
      `Line ${other.line}, CURSYM`,
      `it is in “${other.code.slice(0, 10)}”, and the account in ${currency}`,
    );
  }

  #addLine(transaction: Aggregate): void {
    const { values, line } = transaction;
    const place = `Line ${line}`;
    if (values.has('CORRECTFITID')) {
      throw statementProblem(
        `${place}, CORRECTFITID`,
        'it corrects a line of an earlier file, which cannot be read',
      );
    }
    const amountMinor = signedAmount(transaction, 'TRNAMT');
    if (amountMinor === 0n) return;
    if (this.#lines.length >= STATEMENT_MAX_LINES) {
      throw statementProblem(place, `the file has more than ${STATEMENT_MAX_LINES} lines`);
    }
    this.#lines.push({
      place,
      bookingDay: dayIn(transaction, 'DTPOSTED'),
      valueDay: values.has('DTAVAIL') ? dayIn(transaction, 'DTAVAIL') : null,
      amountMinor,
      bankReference: statementWord(valueOf(transaction, 'FITID')),
      endToEndReference: statementWord(values.get('REFNUM') ?? values.get('CHECKNUM') ?? null),
      trace: null,
      batchReference: null,
      isReversal: false,
      parts: [],
      text: statementText([values.get('NAME') ?? null, values.get('MEMO') ?? null]),
      counterparty: statementWord(values.get('NAME') ?? null),
    });
  }
}

function valueOf({ name, line, values }: Aggregate, key: string): string {
  const value = values.get(key);
  if (value === undefined) throw statementProblem(`Line ${line}, ${name}`, `it has no ${key}`);
  return value;
}

/** Day of a time such as `20261208120000.000[-5:EST]`: the first eight digits. */
function dayIn(aggregate: Aggregate, key: string): string {
  const value = valueOf(aggregate, key);
  const [, year, month, day] =
    /^(\d{4})(\d{2})(\d{2})(?:\d{2,6}(?:\.\d{3})?)?(?:\[[^\]]*\])?$/.exec(value) ?? [];
  const read = dayOf(year, month, day);
  if (read !== undefined) return read;
  throw statementProblem(`Line ${aggregate.line}, ${key}`, `“${value.slice(0, 40)}” is not a day`);
}

/** Minor units of an amount with a sign. A comma may stand before the decimals (OFX 2.2, section 3.2.9.1). */
function signedAmount(aggregate: Aggregate, key: string): bigint {
  const value = valueOf(aggregate, key);
  const minor = plainAmount(value.replace(/^[+-]/, '').replace(',', '.'));
  if (minor !== null) return value.startsWith('-') ? -minor : minor;
  throw statementProblem(
    `Line ${aggregate.line}, ${key}`,
    `“${value.slice(0, 40)}” is not an amount with at most two decimals`,
  );
}
