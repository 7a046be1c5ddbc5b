import {
  BATCH_CONTROL,
  BATCH_HEADER,
  BLOCKING_FACTOR,
  CHANGE,
  CONTESTED_RETURN,
  DISHONORED_RETURN,
  ENTRY,
  FILE_CONTROL,
  FILE_HEADER,
  FILLER,
  RETURN,
  entryHash,
} from '#server/modules/payouts/nacha/records.ts';

/** Routing number of the bank that sends back, with its check digit. */
export const THEIR_BANK = '231380104';
const COMPANY_ID = '1912345678';
const OUR_BANK = '084207311';

export interface ReturnedEntry {
  /** R01 to R85, C01 to C13. */
  code: string;
  /** Trace number of our payment. */
  trace: string;
  /** Zero of a notification of change. */
  amountMinor?: bigint;
  /** Our reference. */
  reference?: string;
  name?: string;
  /** 21 is a returned credit to a checking account, 26 a returned debit. */
  transactionCode?: string;
  /** Corrected data of a notification of change. */
  corrected?: string;
  /** Number of the entry at the bank that sends it back; its place in the file if left out. */
  number?: number;
}

/** Records of a returns file, as a bank writes it: one batch, filled up to a block of ten. */
export function returnsFile(
  returned: readonly ReturnedEntry[],
  { companyId = COMPANY_ID, createdOn = '261208' } = {},
): string[] {
  const batch = { serviceClass: '200', companyId, odfi: THEIR_BANK.slice(0, 8) };
  const amounts = returned.map(({ amountMinor = 0n }) => amountMinor);
  const sum = (minors: readonly bigint[]) => minors.reduce((total, minor) => total + minor, 0n);
  const isDebit = ({ transactionCode = '21' }: ReturnedEntry) => transactionCode === '26';
  const debitMinor = sum(amounts.filter((_minor, at) => returned[at] && isDebit(returned[at])));
  const totals = {
    entryCount: returned.length * 2,
    entryHash: entryHash(BigInt(THEIR_BANK.slice(0, 8)) * BigInt(returned.length)),
    debitMinor,
    creditMinor: sum(amounts) - debitMinor,
  };
  const records = [
    FILE_HEADER.write({
      destination: ` ${OUR_BANK}`,
      origin: ` ${THEIR_BANK}`,
      createdOn,
      createdAt: '0306',
      fileIdModifier: 'A',
      destinationName: 'Northgate',
      originName: 'Northgate Commerce',
      reference: '',
    }),
    BATCH_HEADER.write({
      ...batch,
      companyName: 'Tallis & Reed',
      discretionary: '',
      entryClass: 'PPD',
      description: 'PAYROLL',
      descriptiveDate: '',
      effectiveOn: createdOn,
      settledOn: '342',
      originatorStatus: '1',
      batchNumber: '0000001',
    }),
    ...returned.flatMap((one, at) => entryRecords(one, one.number ?? at + 1)),
    BATCH_CONTROL.write({ ...batch, ...totals, authentication: '', batchNumber: '0000001' }),
  ];
  const blockCount = Math.ceil((records.length + 1) / BLOCKING_FACTOR);
  records.push(FILE_CONTROL.write({ ...totals, batchCount: 1, blockCount }));
  const fillers = blockCount * BLOCKING_FACTOR - records.length;
  return [...records, ...Array<string>(fillers).fill(FILLER)];
}

function entryRecords(returned: ReturnedEntry, number: number): string[] {
  const { code, trace: originalTrace, amountMinor = 0n, reference = '', corrected = '' } = returned;
  const traceNumber = THEIR_BANK.slice(0, 8) + String(number).padStart(7, '0');
  const common = { code, originalTrace, originalRdfi: THEIR_BANK.slice(0, 8), traceNumber };
  const earlier = { returnTrace: traceNumber, returnSettledOn: '341', returnCode: '03' };
  const entry = ENTRY.write({
    transactionCode: returned.transactionCode ?? '21',
    routingNumber: THEIR_BANK,
    accountNumber: '4400917',
    amountMinor,
    identification: reference,
    name: returned.name ?? 'GRACE ACHIENG',
    discretionary: '',
    addenda: '1',
    traceNumber,
  });
  if (code.startsWith('C')) return [entry, CHANGE.write({ ...common, corrected })];
  if (['R61', 'R62', 'R67', 'R68', 'R69', 'R70'].includes(code)) {
    return [entry, DISHONORED_RETURN.write({ ...common, ...earlier, information: '' })];
  }
  if (code.startsWith('R7')) {
    return [
      entry,
      CONTESTED_RETURN.write({
        ...common,
        ...earlier,
        originalReturnedOn: '261207',
        originalSettledOn: '341',
        dishonoredTrace: traceNumber,
        dishonoredSettledOn: '342',
        dishonoredCode: '68',
      }),
    ];
  }
  return [entry, RETURN.write({ ...common, dateOfDeath: '', information: '' })];
}
