import { CURRENCIES } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { entryStatusOf, isoDay, isoMessageOf, plainAmount } from '#server/lib/iso20022.ts';
import { readXml, xmlAll, xmlAt, xmlText } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';
import { batchReferenceOf, partAmountOf, wordsOf } from './entry-payments.ts';
import { NotBookedCount } from './line-words.ts';
import { joinPages, pageInMessage, pageOf, WHOLE } from './statement-pages.ts';
import type { PageOf, StatementPage } from './statement-pages.ts';
import {
  STATEMENT_MAX_LINES,
  statementProblem,
  statementText,
  statementWord,
  sumMinor,
} from './statement.ts';
import type {
  Statement,
  StatementAccount,
  StatementBalance,
  StatementLine,
  StatementPart,
} from './statement.ts';

/** Versions that differ in nothing that is read here, but for the name of a party and the code of a status. */
const VERSIONS = { from: 2, to: 13 };

/** Codes of balances. A statement opens with its own opening balance, or as the former one closed. */
const OPENING = ['OPBD', 'PRCD'];
const CLOSING = ['CLBD'];
/** Balance between two pages of a statement: the first one opens a page, and the last one closes it. */
const INTERIM = 'ITBD';

/**
 * Statements of an ISO 20022 camt.053 file, versions 2 to 13, not yet checked by `checkStatements`. Source of the elements:
 * ISO 20022 message definitions, "BankToCustomerStatement". Only booked entries are lines. The credit or debit indicator
 * alone decides the sign: a reversal of a credit is a debit already. Pages of a statement are joined.
 *
 * @throws {AppError} `statement_unreadable` with the line and the path of the element
 */
export async function readCamt053(text: AsyncIterable<string>): Promise<Statement[]> {
  const messages = new Map<XmlElement, Message>();
  let count = 0;
  const records = readXml(text, {
    root: 'Document',
    isAround: (path) => path.join('/') === AROUND.slice(0, path.length).join('/'),
    refuse: (line, why) => statementProblem(`Line ${line}`, why),
  });
  let hasDocument = false;
  for await (const { parents, element } of records) {
    hasDocument = true;
    const [root = element, , owner] = parents;
    checkRoot(root);
    const message: Message = messages.get(root) ?? { page: null, statements: new Map() };
    messages.set(root, message);
    if (element.name === 'GrpHdr') message.page = pageOfMessage(element);
    if (owner === undefined) continue;
    let reader = message.statements.get(owner);
    if (reader === undefined) {
      count += 1;
      reader = new StatementReader(owner, count);
      message.statements.set(owner, reader);
    }
    reader.add(element);
  }
  if (!hasDocument) throw statementProblem('Line 1', 'this is not a camt.053 statement');
  return joinPages([...messages.values()].flatMap(pagesOf));
}

/** A message of the file: an envelope may have several. */
interface Message {
  /** Null where it does not say that it is one of several pages. */
  page: PageOf | null;
  statements: Map<XmlElement, StatementReader>;
}

function pageOfMessage(header: XmlElement): PageOf | null {
  return pageOf(xmlAt(header, 'MsgPgntn'), ({ line }, why) =>
    statementProblem(`Line ${line}, GrpHdr/MsgPgntn`, why),
  );
}

function pagesOf({ page, statements }: Message): StatementPage[] {
  const place = (index: number) => ({ index, count: statements.size });
  return [...statements.values()].map((reader, index) =>
    reader.end(page === null ? WHOLE : pageInMessage(page, place(index))),
  );
}

const AROUND = ['Document', 'BkToCstmrStmt', 'Stmt'];

/** @throws {AppError} `statement_unreadable` for other messages, such as camt.052 and camt.054 */
function checkRoot(root: XmlElement): void {
  const message = isoMessageOf(root);
  const place = `Line ${root.line}`;
  if (message === null) throw statementProblem(place, 'this is not a camt.053 statement');
  const { name, version } = message;
  if (name !== 'camt.053') {
    throw statementProblem(place, `this is ${name}, not a camt.053 statement`);
  }
  if (version < VERSIONS.from || version > VERSIONS.to) {
    throw statementProblem(
      place,
      `this is version ${version} of camt.053; versions ${VERSIONS.from} to ${VERSIONS.to} can be read`,
    );
  }
}

/** A balance with its path within the statement. */
interface FoundBalance {
  element: XmlElement;
  path: string;
}

class StatementReader {
  readonly #place: string;
  readonly #line: number;
  #account: XmlElement | undefined;
  #id: string | null = null;
  #sequenceNumber: string | null = null;
  #page: PageOf | null = null;
  readonly #balances: XmlElement[] = [];
  #currency: Currency | undefined;
  #entryCount = 0;
  readonly #lines: StatementLine[] = [];
  readonly #notBooked = new NotBookedCount();

  constructor({ line }: XmlElement, number: number) {
    this.#line = line;
    this.#place = `Stmt[${number}]`;
  }

  add(element: XmlElement): void {
    if (element.name === 'Acct') this.#account = element;
    if (element.name === 'Bal') this.#balances.push(element);
    if (element.name === 'Ntry') this.#addEntry(element);
    if (element.name === 'Id') this.#id = element.text || null;
    if (element.name === 'ElctrncSeqNb') this.#sequenceNumber = element.text || null;
    if (element.name === 'StmtPgntn') {
      this.#page = pageOf(element, (at, why) => this.#refused(at, 'StmtPgntn', why));
    }
  }

  /** @param inMessage its page by that of the message, which counts where the statement has none of its own */
  end(inMessage: PageOf): StatementPage {
    const page = this.#page ?? inMessage;
    const account = this.#accountOf();
    const currency = this.#currencyOf();
    const signed = (found: FoundBalance | undefined) =>
      found === undefined ? null : this.#signed(found, currency);
    const interim = this.#balancesOf(INTERIM);
    const opening = this.#balanceOf(OPENING, 'opening');
    const closing = this.#balanceOf(CLOSING, 'closing');
    return {
      place: `Line ${this.#line}, ${this.#place}`,
      id: this.#id,
      sequenceNumber: this.#sequenceNumber,
      page,
      account,
      currency,
      opening: signed(opening ?? (page.number > 1 ? interim[0] : undefined)),
      closing: signed(closing ?? (page.isLast ? undefined : interim.at(-1))),
      lines: this.#lines,
      notBooked: this.#notBooked.all,
    };
  }

  /** Reads an entry when it ends: only its line is kept. Account and balances stand before the entries (XML schema). */
  #addEntry(entry: XmlElement): void {
    this.#entryCount += 1;
    this.#lines.push(...this.#lineOf(entry, `Ntry[${this.#entryCount}]`, this.#currencyOf()));
    if (this.#lines.length > STATEMENT_MAX_LINES) {
      throw this.#refused(entry, 'Ntry', `the file has more than ${STATEMENT_MAX_LINES} lines`);
    }
  }

  #accountOf(): StatementAccount {
    const account = this.#accountElement();
    const iban = xmlText(account, 'Id', 'IBAN');
    const other = xmlText(account, 'Id', 'Othr', 'Id');
    if (iban === null && other === null)
      throw this.#refused(account, 'Acct/Id', 'it has no number');
    const number = (iban ?? other ?? '').replaceAll(/\s/g, '').toUpperCase();
    // Banks outside the IBAN's countries, and some within, name an IBAN as another number.
    const isIban = iban !== null || /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(number);
    const routingNumber = xmlText(account, 'Svcr', 'FinInstnId', 'ClrSysMmbId', 'MmbId');
    return isIban
      ? { iban: number, routingNumber: null, accountNumber: null }
      : { iban: null, routingNumber, accountNumber: number };
  }

  /** Balance by the first of these codes that there is. */
  #balanceOf(codes: readonly string[], word: string): FoundBalance | undefined {
    for (const code of codes) {
      const [first, second] = this.#balancesOf(code);
      if (second !== undefined)
        throw this.#refused(second.element, second.path, `a second ${word} balance (${code})`);
      if (first !== undefined) return first;
    }
    return undefined;
  }

  #balancesOf(code: string): FoundBalance[] {
    return this.#balances.flatMap((element, index) =>
      xmlText(element, 'Tp', 'CdOrPrtry', 'Cd') === code
        ? [{ element, path: `Bal[${index + 1}]` }]
        : [],
    );
  }

  #signed({ element, path }: FoundBalance, currency: Currency): StatementBalance {
    return {
      day: this.#dayOf(element, path, 'Dt'),
      amountMinor: this.#amountOf(element, path, currency),
    };
  }

  #lineOf(entry: XmlElement, path: string, currency: Currency): StatementLine[] {
    const status = entryStatusOf(entry);
    if (status === null) {
      throw this.#refused(entry, `${path}/Sts`, 'it is not BOOK, PDNG, INFO or FUTR');
    }
    if (status !== 'booked') {
      this.#notBooked.add(status);
      return [];
    }
    const amountMinor = this.#amountOf(entry, path, currency);
    // Banks book information as entries of nothing. They move no money.
    if (amountMinor === 0n) return [];
    const bookingPath = xmlAt(entry, 'BookgDt') === undefined ? 'ValDt' : 'BookgDt';
    const valueDay = xmlAt(entry, 'ValDt') === undefined ? null : this.#dayOf(entry, path, 'ValDt');
    const isReversal = xmlText(entry, 'RvslInd') === 'true' || xmlText(entry, 'RvslInd') === '1';
    const payments = xmlAll(entry, 'NtryDtls').flatMap((details) => xmlAll(details, 'TxDtls'));
    const [only] = payments;
    const isBatch = payments.length > 1;
    const isFromOther = amountMinor > 0n !== isReversal;
    const single = isBatch || only === undefined ? null : wordsOf(only, isFromOther);
    return [
      {
        place: this.#placeOf(entry, path),
        bookingDay: this.#dayOf(entry, path, bookingPath),
        valueDay,
        amountMinor,
        bankReference: statementWord(
          xmlText(entry, 'AcctSvcrRef') ?? single?.bankReference ?? xmlText(entry, 'NtryRef'),
        ),
        batchReference: statementWord(batchReferenceOf(entry, only)),
        endToEndReference: single?.endToEndReference ?? null,
        trace: single?.trace ?? null,
        text: statementText([single?.text ?? null, xmlText(entry, 'AddtlNtryInf')]),
        counterparty: single?.counterparty ?? null,
        isReversal,
        parts: isBatch
          ? this.#partsOf(entry, { path, payments, amountMinor, currency, isFromOther })
          : [],
      },
    ];
  }

  #partsOf(
    entry: XmlElement,
    {
      path,
      payments,
      amountMinor,
      currency,
      isFromOther,
    }: {
      path: string;
      payments: readonly XmlElement[];
      amountMinor: bigint;
      currency: Currency;
      isFromOther: boolean;
    },
  ): StatementPart[] {
    const counted = xmlAll(entry, 'NtryDtls').flatMap(
      (details) => xmlText(details, 'Btch', 'NbOfTxs') ?? [],
    );
    const parts = payments.map((payment, index): StatementPart => {
      const { endToEndReference, trace, text, counterparty } = wordsOf(payment, isFromOther);
      const words = { endToEndReference, trace, text, counterparty };
      const amount = partAmountOf(payment, currency);
      if (amount === null) return { ...words, amountMinor: null };
      const place = `${path}/NtryDtls/TxDtls[${index + 1}]`;
      const minor = this.#minorOf(amount, place);
      const indicator = xmlText(payment, 'CdtDbtInd') ?? xmlText(entry, 'CdtDbtInd');
      return { ...words, amountMinor: indicator === 'DBIT' ? -minor : minor };
    });
    const count = counted.reduce((sum, each) => sum + Number(each), 0);
    if (counted.length > 0 && count !== parts.length) {
      throw this.#refused(
        entry,
        `${path}/NtryDtls/Btch/NbOfTxs`,
        `it counts ${count} payments and has ${parts.length}`,
      );
    }
    const known = parts.flatMap((part) =>
      part.amountMinor === null ? [] : [{ amountMinor: part.amountMinor }],
    );
    // Charges that a bank takes off the whole are in the entry's amount and in none of its payments.
    const isSum = known.length === parts.length && xmlAt(entry, 'Chrgs') === undefined;
    if (isSum && sumMinor(known) !== amountMinor) {
      throw this.#refused(entry, `${path}/NtryDtls`, 'its payments do not add up to its amount');
    }
    return parts;
  }

  #amountOf(element: XmlElement, path: string, currency: Currency): bigint {
    const amount = xmlAt(element, 'Amt');
    if (amount === undefined) throw this.#refused(element, path, 'it has no amount (Amt)');
    const written = amount.attributes['Ccy'] ?? '';
    if (written !== currency) {
      throw this.#refused(
        amount,
        `${path}/Amt`,
        `it is in “${written}”, and the account in ${currency}`,
      );
    }
    const indicator = xmlText(element, 'CdtDbtInd');
    if (indicator !== 'CRDT' && indicator !== 'DBIT') {
      throw this.#refused(element, `${path}/CdtDbtInd`, `“${indicator ?? ''}” is not CRDT or DBIT`);
    }
    const minor = this.#minorOf(amount, path);
    return indicator === 'CRDT' ? minor : -minor;
  }

  #minorOf(amount: XmlElement, path: string): bigint {
    const minor = plainAmount(amount.text);
    if (minor !== null) return minor;
    throw this.#refused(
      amount,
      `${path}/Amt`,
      `“${amount.text.slice(0, 40)}” is not an amount with at most two decimals`,
    );
  }

  #dayOf(element: XmlElement, path: string, name: string): string {
    const found = xmlText(element, name, 'Dt') ?? xmlText(element, name, 'DtTm');
    const read = isoDay(found);
    if (read !== null) return read;
    throw this.#refused(
      xmlAt(element, name) ?? element,
      `${path}/${name}`,
      `“${found?.slice(0, 40) ?? ''}” is not a day`,
    );
  }

  #accountElement(): XmlElement {
    if (this.#account !== undefined) return this.#account;
    throw statementProblem(`Line ${this.#line}, ${this.#place}`, 'it names no account (Acct)');
  }

  /** Currency of the account, or of its first balance where it names none. */
  #currencyOf(): Currency {
    const account = this.#accountElement();
    const [balance] = this.#balances;
    this.#currency ??= this.#readCurrency(
      xmlAt(account, 'Ccy') ?? (balance && xmlAt(balance, 'Amt')) ?? account,
    );
    return this.#currency;
  }

  #readCurrency(element: XmlElement): Currency {
    const written = element.name === 'Ccy' ? element.text : (element.attributes['Ccy'] ?? '');
    const currency = CURRENCIES.find((each) => each === written);
    if (currency !== undefined) return currency;
    throw this.#refused(element, 'Acct/Ccy', `“${written}” is not one of ${CURRENCIES.join(', ')}`);
  }

  #placeOf(element: XmlElement, path: string): string {
    return `Line ${element.line}, ${this.#place}/${path}`;
  }

  #refused(element: XmlElement, path: string, why: string): Error {
    return statementProblem(this.#placeOf(element, path), why);
  }
}
