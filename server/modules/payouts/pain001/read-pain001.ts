import sax from 'sax';
import type { Currency } from '#contract/money.ts';
import { CURRENCIES } from '#contract/money.ts';
import { XML_ENTITIES } from '#server/lib/xml.ts';
import type { OrderedPayment, PayeeAccount } from '../order.ts';
import { ACCOUNT_TYPES, CLEARING_SYSTEMS, PURPOSES, painNamespace } from './elements.ts';
import type { PainVersion } from './elements.ts';

/** A message that is not one of ours. Quotes nothing of it, because it holds account numbers. */
export class PainFault extends Error {
  /** Line of the text, from 1. */
  readonly line: number;

  constructor(line: number, why: string) {
    super(`Line ${line}: ${why}`);
    this.name = 'PainFault';
    this.line = line;
  }
}

export interface ReadBatch {
  payees: 'people' | 'businesses';
  effectiveOn: string;
  isSameDay: boolean;
}

/** A payment that was read, without what only the order has. */
export type ReadPayment = Omit<OrderedPayment, 'isPrenote'> & { currency: Currency };

export interface ReadPain {
  version: PainVersion;
  messageId: string;
  count: number;
  totalMinor: bigint;
}

const VERSIONS: readonly PainVersion[] = ['03', '09'];
const MAX_TEXT_LENGTH = 500;
const BATCH = 'Document/CstmrCdtTrfInitn/PmtInf';
const PAYMENT = `${BATCH}/CdtTrfTxInf`;
const HEADER = 'Document/CstmrCdtTrfInitn/GrpHdr';

/**
 * Reads a message that Purser wrote, as its text arrives, and holds its counts and sums against its payments. Document
 * types are refused and no entities but the five of XML are known, so nothing is expanded. The message is right only when
 * the returned promise fulfils.
 *
 * @param onPayment is given each payment in the order of the message
 * @throws {PainFault} naming the line
 */
export async function readPain001(
  text: AsyncIterable<string> | Iterable<string>,
  onPayment: (payment: ReadPayment, batch: ReadBatch) => void,
): Promise<ReadPain> {
  const reader = new Reader(onPayment);
  for await (const part of text) reader.take(part);
  return reader.end();
}

interface Counted {
  count: number;
  totalMinor: bigint;
}
const nothing = (): Counted => ({ count: 0, totalMinor: 0n });

class Reader {
  readonly #parser: sax.SAXParser;
  readonly #onPayment: (payment: ReadPayment, batch: ReadBatch) => void;
  readonly #path: string[] = [];
  #text = '';
  /** Texts of the elements of the header, the batch and the payment, by their paths below each. */
  readonly #header = new Map<string, string>();
  readonly #batch = new Map<string, string>();
  readonly #payment = new Map<string, string>();
  #currency = '';
  #namespace = '';
  #ofBatch = nothing();
  readonly #all = nothing();
  #isEnded = false;

  constructor(onPayment: (payment: ReadPayment, batch: ReadBatch) => void) {
    this.#onPayment = onPayment;
    const options = { strictEntities: true, xmlns: true };
    this.#parser = sax.parser(true, options);
    const refuse = (why: string) => () => {
      throw this.#fault(why);
    };
    Object.assign(this.#parser, {
      ENTITIES: XML_ENTITIES,
      onerror: refuse('the XML is not well-formed'),
      ondoctype: refuse('a document type is not accepted'),
      onopentag: (tag: sax.Tag | sax.QualifiedTag) => this.#open(tag),
      onclosetag: () => this.#close(),
      ontext: (words: string) => this.#takeText(words),
      oncdata: (words: string) => this.#takeText(words),
    } satisfies Partial<sax.SAXParser> & { ENTITIES: object });
  }

  take(part: string): void {
    this.#parser.write(part);
  }

  end(): ReadPain {
    if (!this.#isEnded) throw this.#fault('the message is not complete');
    this.#parser.close();
    const version = VERSIONS.find((one) => painNamespace(one) === this.#namespace);
    if (version === undefined) throw this.#fault('this is no pain.001 of version 3 or 9');
    this.#checkSums(this.#header, this.#all);
    return { version, messageId: this.#of(this.#header, 'MsgId'), ...this.#all };
  }

  #open(tag: sax.Tag | sax.QualifiedTag): void {
    this.#path.push(tag.name);
    this.#text = '';
    if (this.#path.length === 1 && 'uri' in tag) this.#namespace = tag.uri;
    const currency = tag.attributes['Ccy'];
    if (currency !== undefined) {
      this.#currency = typeof currency === 'string' ? currency : currency.value;
    }
  }

  #takeText(words: string): void {
    this.#text += words;
    if (this.#text.length > MAX_TEXT_LENGTH) throw this.#fault('a text is too long');
  }

  #close(): void {
    const path = this.#path.join('/');
    this.#path.pop();
    if (path === PAYMENT) this.#endPayment();
    else if (path === BATCH) this.#endBatch();
    else if (path === 'Document') this.#isEnded = true;
    else if (path.startsWith(`${PAYMENT}/`))
      this.#keep(this.#payment, path.slice(PAYMENT.length + 1));
    else if (path.startsWith(`${BATCH}/`)) this.#keep(this.#batch, path.slice(BATCH.length + 1));
    else if (path.startsWith(`${HEADER}/`)) this.#keep(this.#header, path.slice(HEADER.length + 1));
    this.#text = '';
  }

  #keep(values: Map<string, string>, name: string): void {
    const words = this.#text.trim();
    if (words === '') return;
    if (values.has(name)) throw this.#fault(`${name} is there twice`);
    values.set(name, words);
  }

  #endPayment(): void {
    const read = this.#payment;
    const amountMinor = this.#amountOf(read, 'Amt/InstdAmt');
    const currency = CURRENCIES.find((one) => one === this.#currency);
    if (currency === undefined) throw this.#fault('the currency is missing');
    const payment: ReadPayment = {
      reference: this.#of(read, 'PmtId/EndToEndId'),
      traceNumber: this.#of(read, 'PmtId/InstrId'),
      amountMinor,
      currency,
      name: this.#of(read, 'Cdtr/Nm'),
      account: this.#accountOf(read),
      note: read.get('RmtInf/Ustrd') ?? null,
    };
    this.#ofBatch.count += 1;
    this.#ofBatch.totalMinor += amountMinor;
    read.clear();
    this.#onPayment(payment, this.#batchOf());
  }

  #batchOf(): ReadBatch {
    const batch = this.#batch;
    const purpose = this.#of(batch, 'PmtTpInf/CtgyPurp/Cd');
    return {
      payees: purpose === PURPOSES.people ? 'people' : 'businesses',
      effectiveOn: batch.get('ReqdExctnDt') ?? this.#of(batch, 'ReqdExctnDt/Dt'),
      isSameDay: this.#of(batch, 'PmtTpInf/InstrPrty') === 'HIGH',
    };
  }

  #endBatch(): void {
    this.#checkSums(this.#batch, this.#ofBatch);
    this.#all.count += this.#ofBatch.count;
    this.#all.totalMinor += this.#ofBatch.totalMinor;
    this.#ofBatch = nothing();
    this.#batch.clear();
  }

  #accountOf(read: ReadonlyMap<string, string>): PayeeAccount {
    const iban = read.get('CdtrAcct/Id/IBAN');
    if (iban !== undefined) {
      const bank = 'CdtrAgt/FinInstnId/';
      return {
        kind: 'iban',
        iban,
        bic: read.get(`${bank}BIC`) ?? read.get(`${bank}BICFI`) ?? null,
      };
    }
    const bank = 'CdtrAgt/FinInstnId/ClrSysMmbId';
    const system = read.get(`${bank}/ClrSysId/Cd`);
    if (system === CLEARING_SYSTEMS.sort_code) {
      return {
        kind: 'sort_code',
        sortCode: this.#of(read, `${bank}/MmbId`),
        accountNumber: this.#of(read, 'CdtrAcct/Id/Othr/Id'),
      };
    }
    if (system !== CLEARING_SYSTEMS.aba) throw this.#fault('the bank of a payee is missing');
    return {
      kind: 'aba',
      routingNumber: this.#of(read, `${bank}/MmbId`),
      accountNumber: this.#of(read, 'CdtrAcct/Id/Othr/Id'),
      type: this.#of(read, 'CdtrAcct/Tp/Cd') === ACCOUNT_TYPES.savings ? 'savings' : 'checking',
    };
  }

  #checkSums(announced: ReadonlyMap<string, string>, { count, totalMinor }: Counted): void {
    const isSame =
      this.#of(announced, 'NbOfTxs') === String(count) &&
      this.#amountOf(announced, 'CtrlSum') === totalMinor;
    if (!isSame) throw this.#fault('a count or a control sum is not that of the payments');
  }

  #amountOf(values: ReadonlyMap<string, string>, name: string): bigint {
    const words = this.#of(values, name);
    const minor = /^\d{1,16}\.\d{2}$/.test(words) ? BigInt(words.replace('.', '')) : null;
    if (minor === null) throw this.#fault(`${name} is no amount`);
    return minor;
  }

  #of(values: ReadonlyMap<string, string>, name: string): string {
    const value = values.get(name);
    if (value === undefined) throw this.#fault(`${name} is missing`);
    return value;
  }

  #fault(why: string): PainFault {
    return new PainFault(this.#parser.line + 1, why);
  }
}
