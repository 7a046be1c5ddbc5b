import { decimalAmount } from '#contract/money.ts';

/** A payment in a status report that a test writes. */
export interface ReportedPayment {
  /** Trace number and reference; left out where the bank does not repeat them. */
  instructionId?: string | undefined;
  endToEndId?: string | undefined;
  /** Minor units; left out where the bank does not repeat it. */
  amountMinor?: bigint | undefined;
  /** `RJCT`; left out where that of its group counts. */
  status?: string | undefined;
  /** `AC04` */
  reason?: string | undefined;
  /** The bank's reference. */
  reference?: string | undefined;
  name?: string | undefined;
}

export interface ReportedBatch {
  id: string;
  status?: string | undefined;
  reason?: string | undefined;
  payments?: readonly ReportedPayment[] | undefined;
  /** Counts and sums that the bank repeats, as XML. */
  claims?: string | undefined;
}

export interface Report {
  messageId: string;
  version?: number;
  status?: string | undefined;
  reason?: string | undefined;
  claims?: string | undefined;
  batches?: readonly ReportedBatch[];
  currency?: string;
}

const element = (name: string, text: string | undefined) =>
  text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const reasonOf = (code: string | undefined) =>
  code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`;
const namespace = (message: string, version: number) =>
  `urn:iso:std:iso:20022:tech:xsd:${message}.001.${String(version).padStart(2, '0')}`;

/** A customer payment status report (pain.002), as a bank writes it. */
export function pain002(report: Report): string {
  const { messageId, version = 10, status, reason, claims = '', batches = [] } = report;
  const { currency = 'USD' } = report;
  const party = (name: string) =>
    version >= 8 ? `<Pty>${element('Nm', name)}</Pty>` : element('Nm', name);
  const payment = (one: ReportedPayment) =>
    `<TxInfAndSts>${element('StsId', one.reference)}${element('OrgnlInstrId', one.instructionId)}` +
    `${element('OrgnlEndToEndId', one.endToEndId)}${element('TxSts', one.status)}${reasonOf(one.reason)}` +
    `<OrgnlTxRef>${
      one.amountMinor === undefined
        ? ''
        : `<Amt><InstdAmt Ccy="${currency}">${decimalAmount(one.amountMinor)}</InstdAmt></Amt>`
    }${one.name === undefined ? '' : `<Cdtr>${party(one.name)}</Cdtr>`}</OrgnlTxRef></TxInfAndSts>\n`;
  const batch = (one: ReportedBatch) =>
    `<OrgnlPmtInfAndSts>${element('OrgnlPmtInfId', one.id)}${one.claims ?? ''}` +
    `${element('PmtInfSts', one.status)}${reasonOf(one.reason)}${(one.payments ?? []).map(payment).join('')}` +
    `</OrgnlPmtInfAndSts>\n`;
  const bank = version >= 4 ? element('BICFI', 'NRTHUS44') : element('BIC', 'NRTHUS44');
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace('pain.002', version)}"><CstmrPmtStsRpt>\n` +
    `<GrpHdr><MsgId>S-1</MsgId><CreDtTm>2026-12-08T23:30:00-08:00</CreDtTm>` +
    `<DbtrAgt><FinInstnId>${bank}</FinInstnId></DbtrAgt></GrpHdr>\n` +
    `<OrgnlGrpInfAndSts>${element('OrgnlMsgId', messageId)}<OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>` +
    `${claims}${element('GrpSts', status)}${reasonOf(reason)}</OrgnlGrpInfAndSts>\n` +
    `${batches.map(batch).join('')}</CstmrPmtStsRpt></Document>\n`
  );
}

/** A payment in a notification that a test writes. */
export interface NotifiedPayment extends ReportedPayment {
  amountMinor: bigint;
  /** Return reason; left out for a payment that did not come back. */
  reason?: string | undefined;
  indicator?: 'CRDT' | 'DBIT';
}

/** A debit and credit notification (camt.054): each of `entries` is booked as one entry with these payments. */
export function camt054(
  entries: readonly (readonly NotifiedPayment[])[],
  { version = 8, currency = 'USD', status = 'BOOK', summary = '' } = {},
): string {
  const amount = (minor: bigint) => `<Amt Ccy="${currency}">${decimalAmount(minor)}</Amt>`;
  const party = (name: string) =>
    version >= 8 ? `<Pty>${element('Nm', name)}</Pty>` : element('Nm', name);
  const payment = (one: NotifiedPayment) =>
    `<TxDtls><Refs>${element('AcctSvcrRef', one.reference)}${element('InstrId', one.instructionId)}` +
    `${element('EndToEndId', one.endToEndId)}</Refs>${
      version >= 3
        ? amount(one.amountMinor)
        : `<AmtDtls><TxAmt>${amount(one.amountMinor)}</TxAmt></AmtDtls>`
    }${element('CdtDbtInd', one.indicator)}${
      one.name === undefined ? '' : `<RltdPties><Cdtr>${party(one.name)}</Cdtr></RltdPties>`
    }${
      one.reason === undefined ? '' : `<RtrInf><Rsn><Cd>${one.reason}</Cd></Rsn></RtrInf>`
    }</TxDtls>\n`;
  const entry = (payments: readonly NotifiedPayment[]) => {
    const sum = payments.reduce((total, one) => total + one.amountMinor, 0n);
    return (
      `<Ntry>${amount(sum)}<CdtDbtInd>${payments[0]?.indicator ?? 'CRDT'}</CdtDbtInd>` +
      `<Sts>${version >= 7 ? element('Cd', status) : status}</Sts><BookgDt><Dt>2026-12-08</Dt></BookgDt>` +
      `<NtryDtls><Btch><NbOfTxs>${payments.length}</NbOfTxs></Btch>${payments.map(payment).join('')}</NtryDtls></Ntry>\n`
    );
  };
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace('camt.054', version)}"><BkToCstmrDbtCdtNtfctn>\n` +
    `<GrpHdr><MsgId>N-1</MsgId><CreDtTm>2026-12-08T06:00:00Z</CreDtTm></GrpHdr>\n<Ntfctn><Id>1</Id>` +
    `<Acct><Id><Othr><Id>00964410</Id></Othr></Id><Svcr><FinInstnId><Nm>Northgate Commerce</Nm></FinInstnId></Svcr></Acct>\n` +
    `${summary}${entries.map(entry).join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>\n`
  );
}
