import type { Currency } from '#contract/money.ts';
import { isoReference } from '#server/lib/iso20022.ts';
import { xmlAll, xmlAt, xmlText } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';
import { statementText, statementWord } from './statement.ts';

/* Payments that an entry of camt.053 books. */

/** Amount of a payment of a batch in the account's currency: `Amt` since version 3, before in its details. */
export function partAmountOf(payment: XmlElement, currency: Currency): XmlElement | null {
  const candidates = [xmlAt(payment, 'Amt'), xmlAt(payment, 'AmtDtls', 'TxAmt', 'Amt')];
  return candidates.find((amount) => amount?.attributes['Ccy'] === currency) ?? null;
}

/** Number of the payment file that an entry books as a whole; null if it has none. */
export function batchReferenceOf(
  entry: XmlElement,
  payment: XmlElement | undefined,
): string | null {
  for (const details of xmlAll(entry, 'NtryDtls')) {
    const found = xmlText(details, 'Btch', 'PmtInfId') ?? xmlText(details, 'Btch', 'MsgId');
    if (found !== null) return found;
  }
  return payment === undefined ? null : xmlText(payment, 'Refs', 'PmtInfId');
}

/** Words of the bank and the parties about a payment. @param isFromOther true if the counterparty is who paid */
export function wordsOf(payment: XmlElement, isFromOther: boolean) {
  const party = isFromOther ? 'Dbtr' : 'Cdtr';
  const structured = xmlAt(payment, 'RmtInf');
  const remittance =
    structured === undefined
      ? []
      : [
          ...xmlAll(structured, 'Ustrd').map(({ text }) => text),
          ...xmlAll(structured, 'Strd').map((one) => xmlText(one, 'CdtrRefInf', 'Ref')),
        ];
  return {
    bankReference: xmlText(payment, 'Refs', 'AcctSvcrRef'),
    endToEndReference: isoReference(statementWord(xmlText(payment, 'Refs', 'EndToEndId'))),
    trace: statementWord(xmlText(payment, 'Refs', 'ClrSysRef') ?? xmlText(payment, 'Refs', 'TxId')),
    text: statementText([...remittance, xmlText(payment, 'AddtlTxInf')]),
    counterparty: statementWord(
      // Since version 8 a party is one of two kinds.
      xmlText(payment, 'RltdPties', party, 'Nm') ??
        xmlText(payment, 'RltdPties', party, 'Pty', 'Nm'),
    ),
  };
}
