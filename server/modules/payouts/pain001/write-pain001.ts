import { decimalAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { latinName, latinText } from '../latin.ts';
import { UnwritablePayment } from '../order.ts';
import type { OrderedBatch, OrderedPayment, PayeeAccount } from '../order.ts';
import {
  ACCOUNT_TYPES,
  BIC_ELEMENT,
  CLEARING_SYSTEMS,
  PURPOSES,
  painNamespace,
} from './elements.ts';
import type { PainVersion } from './elements.ts';

/** Form of the messages that a bank wants, as agreed with the company. */
export interface PainProfile {
  version: PainVersion;
  companyName: string;
  /** The company's number at its bank; null where it has none. */
  companyId: string | null;
  account: PayeeAccount;
  currency: Currency;
}

/** Facts of one message. `count` and `totalMinor` are those of all its payments, which come before them. */
export interface PainFileFacts {
  messageId: string;
  /** `2026-12-08T10:05:00`, at the company. */
  createdAt: string;
  count: number;
  totalMinor: bigint;
}

/**
 * Characters that all banks pass on (European Payments Council, EPC217-08, Latin character set).
 */
const EPC_LATIN = /[A-Za-z0-9/?:().,'+ -]/;
const MAX_NAME_LENGTH = 70;
const MAX_NOTE_LENGTH = 140;

/**
 * Writes a credit transfer initiation, pain.001.001.03 or .09, one payment at a time. The sums in its headers are
 * given, and compared at the end with what was written.
 *
 * @throws {UnwritablePayment} naming the payment that the message has no place for
 * @throws {RangeError} if a count or a sum is not that of the payments, or a message has none
 */
export async function* writePain001(
  profile: PainProfile,
  file: PainFileFacts,
  batches: AsyncIterable<OrderedBatch> | Iterable<OrderedBatch>,
): AsyncGenerator<string, void> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${painNamespace(profile.version)}">`;
  yield `<CstmrCdtTrfInitn>${element('GrpHdr', [
    element('MsgId', file.messageId),
    element('CreDtTm', file.createdAt),
    ...sums(file.count, file.totalMinor),
    element('InitgPty', [
      companyName(profile),
      ...(profile.companyId === null
        ? []
        : [nested(['Id', 'OrgId', 'Othr', 'Id'], escaped(profile.companyId))]),
    ]),
  ])}\n`;
  let count = 0;
  let totalMinor = 0n;
  for await (const batch of batches) {
    yield `<PmtInf>${batchHead(profile, file, batch)}\n`;
    let ofBatch = 0;
    let sum = 0n;
    for await (const payment of batch.payments) {
      yield `${transfer(profile, payment)}\n`;
      ofBatch += 1;
      sum += payment.amountMinor;
    }
    yield '</PmtInf>\n';
    checkSums(`batch ${batch.number}`, { count: ofBatch, totalMinor: sum }, batch);
    count += ofBatch;
    totalMinor += sum;
  }
  checkSums(file.messageId, { count, totalMinor }, file);
  yield '</CstmrCdtTrfInitn></Document>\n';
}

interface Sums {
  count: number;
  totalMinor: bigint;
}

function checkSums(what: string, written: Sums, announced: Sums): void {
  const isSame = written.count === announced.count && written.totalMinor === announced.totalMinor;
  if (!isSame || written.count === 0) {
    throw new RangeError(`The payments of ${what} are not those that its header counts.`);
  }
}

function batchHead(profile: PainProfile, file: PainFileFacts, batch: OrderedBatch): string {
  const { version, account } = profile;
  const isSepa = profile.currency === 'EUR' && account.kind === 'iban';
  return [
    element('PmtInfId', `${file.messageId}-${batch.number}`),
    element('PmtMtd', 'TRF'),
    element('BtchBookg', 'true'),
    ...sums(batch.count, batch.totalMinor),
    element('PmtTpInf', [
      element('InstrPrty', batch.sameDay === null ? 'NORM' : 'HIGH'),
      nested(['SvcLvl', 'Cd'], isSepa ? 'SEPA' : 'NURG'),
      nested(['CtgyPurp', 'Cd'], PURPOSES[batch.payees === 'businesses' ? 'businesses' : 'people']),
    ]),
    version === '03'
      ? element('ReqdExctnDt', batch.effectiveOn)
      : nested(['ReqdExctnDt', 'Dt'], batch.effectiveOn),
    element('Dbtr', companyName(profile)),
    element('DbtrAcct', [...accountParts(account), element('Ccy', profile.currency)]),
    element(
      'DbtrAgt',
      agent(version, account) ?? nested(['FinInstnId', 'Othr', 'Id'], 'NOTPROVIDED'),
    ),
    element('ChrgBr', isSepa ? 'SLEV' : 'SHAR'),
  ].join('');
}

function transfer(profile: PainProfile, payment: OrderedPayment): string {
  const { reference, traceNumber, amountMinor, account, note, isPrenote = false } = payment;
  const refused = (why: string) => new UnwritablePayment(reference, why);
  if (isPrenote) throw refused('the format has no prenotes');
  if (amountMinor <= 0n) throw refused('its amount is wrong');
  if (reference.length > 35) throw refused('its reference does not fit 35 characters');
  if (!isWritable(account)) throw refused('its account is not one that the format has');
  const bank = agent(profile.version, account);
  const words = latinText(note ?? '', EPC_LATIN)
    .slice(0, MAX_NOTE_LENGTH)
    .trim();
  return element('CdtTrfTxInf', [
    element('PmtId', [element('InstrId', traceNumber), element('EndToEndId', escaped(reference))]),
    element('Amt', `<InstdAmt Ccy="${profile.currency}">${decimalAmount(amountMinor)}</InstdAmt>`),
    ...(bank === null ? [] : [element('CdtrAgt', bank)]),
    element('Cdtr', element('Nm', escaped(painName(payment)))),
    element('CdtrAcct', accountParts(account)),
    ...(words === '' ? [] : [nested(['RmtInf', 'Ustrd'], escaped(words))]),
  ]);
}

function isWritable(account: PayeeAccount): boolean {
  switch (account.kind) {
    case 'aba':
      return (
        /^\d{9}$/.test(account.routingNumber) && /^[0-9A-Za-z-]{1,34}$/.test(account.accountNumber)
      );
    case 'sort_code':
      return /^\d{6}$/.test(account.sortCode) && /^\d{8}$/.test(account.accountNumber);
    case 'iban':
      return /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(account.iban);
  }
}

/** Name of a payee as the message has it. */
export function painName({ name, reference }: Pick<OrderedPayment, 'name' | 'reference'>): string {
  return latinName(name, reference, EPC_LATIN).slice(0, MAX_NAME_LENGTH).trim();
}

function companyName({ companyName: name }: PainProfile): string {
  return element('Nm', escaped(latinText(name, EPC_LATIN).slice(0, MAX_NAME_LENGTH).trim()));
}

function sums(count: number, totalMinor: bigint): string[] {
  return [element('NbOfTxs', String(count)), element('CtrlSum', decimalAmount(totalMinor))];
}

/** The bank of an account; null where its IBAN says it. */
function agent(version: PainProfile['version'], account: PayeeAccount): string | null {
  if (account.kind === 'iban') {
    return account.bic === null
      ? null
      : nested(['FinInstnId', BIC_ELEMENT[version]], escaped(account.bic));
  }
  const number = account.kind === 'aba' ? account.routingNumber : account.sortCode;
  const member =
    nested(['ClrSysId', 'Cd'], CLEARING_SYSTEMS[account.kind]) + element('MmbId', number);
  return nested(['FinInstnId', 'ClrSysMmbId'], member);
}

function accountParts(account: PayeeAccount): string[] {
  if (account.kind === 'iban') return [nested(['Id', 'IBAN'], account.iban)];
  const number = nested(['Id', 'Othr', 'Id'], escaped(account.accountNumber));
  if (account.kind === 'sort_code') return [number];
  return [number, nested(['Tp', 'Cd'], ACCOUNT_TYPES[account.type])];
}

function element(name: string, content: string | readonly string[]): string {
  return `<${name}>${typeof content === 'string' ? content : content.join('')}</${name}>`;
}

/** Elements inside each other, the last one with the content. */
function nested(names: readonly string[], content: string): string {
  return names.reduceRight((inner, name) => element(name, inner), content);
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
