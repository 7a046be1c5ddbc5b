/** Causes of a return, by what its receiver has to do. */
export type ReturnCause =
  | 'closed'
  | 'moved'
  | 'number'
  | 'refused'
  | 'blocked'
  | 'deceased'
  | 'bank'
  | 'recalled'
  | 'funds'
  | 'file';

interface Reason {
  /** Meaning for administrators. */
  words: string;
  cause: ReturnCause;
}

const reasons = <Code extends string>(
  cause: ReturnCause,
  words: Readonly<Record<Code, string>>,
): Readonly<Record<Code, Reason>> => {
  const codes = Object.keys(words) as Code[];
  return Object.fromEntries(codes.map((code) => [code, { words: words[code], cause }])) as Record<
    Code,
    Reason
  >;
};

/**
 * Reasons by which banks reject and return credit transfers in pain.002 and camt.054. Source: ISO 20022 external code
 * sets, ExternalStatusReason1Code and ExternalReturnReason1Code. A code that is not here is taken for `NARR`.
 */
export const ISO_REASONS = {
  ...reasons('number', {
    AC01: 'Incorrect account number',
    AC03: 'Invalid account number of the receiver',
    AC08: 'Invalid branch code',
    AGNT: 'Incorrect bank',
    BE01: 'Name and account do not belong together',
    BE06: 'Receiver unknown',
    CNOR: 'Bank of the receiver not registered',
    RC01: 'Bank identifier incorrect',
    RC04: 'Invalid bank of the receiver',
    RC05: 'Invalid BIC',
    RC07: 'Invalid BIC of the receiver’s bank',
    RC08: 'Invalid code of the bank',
    RC10: 'Invalid code of the receiver’s bank',
    RUTA: 'Payment cannot be applied to an account',
    UCRD: 'Receiver unknown to the bank',
  }),
  ...reasons('closed', {
    AC04: 'Account closed',
    AC07: 'Account of the receiver closed',
  }),
  ...reasons('moved', { AC15: 'Account details changed' }),
  ...reasons('blocked', {
    AC06: 'Account blocked',
    AC09: 'Account in another currency',
    AC11: 'Account of the receiver in another currency',
    AC12: 'Type of account takes no such payments',
    AC14: 'Type of the receiver’s account takes no such payments',
    AG01: 'Payment forbidden on this type of account',
    LEGL: 'Legal decision',
  }),
  ...reasons('refused', {
    MD06: 'Refused by the receiver',
    MS02: 'Refused by the receiver without a reason',
  }),
  ...reasons('deceased', { MD07: 'Receiver deceased' }),
  ...reasons('bank', {
    AB05: 'Timeout at the receiver’s bank',
    AB06: 'Timeout between the banks',
    AB07: 'Bank offline',
    AB08: 'Bank of the receiver offline',
    AB09: 'Error at the receiver’s bank',
    AB10: 'Error between the banks',
    AG10: 'Bank suspended',
    AG11: 'Bank of the receiver suspended',
    ED01: 'No correspondent bank',
    ED05: 'Settlement failed',
    RC11: 'Invalid bank between the banks',
    TECH: 'Technical problem',
  }),
  ...reasons('recalled', {
    AM05: 'Duplicate payment',
    CUST: 'Requested by the sender',
    DS02: 'Order cancelled',
    DUPL: 'Duplicate payment',
    FOCR: 'Following a cancellation request',
    FRAD: 'Fraudulent origin',
    UPAY: 'Payment not due',
  }),
  ...reasons('funds', { AM04: 'Insufficient funds' }),
  ...reasons('file', {
    AC02: 'Invalid account number of the company',
    AC05: 'Account of the company closed',
    AC10: 'Account of the company in another currency',
    AC13: 'Invalid type of the company’s account',
    AG02: 'Invalid operation code',
    AG03: 'Payment not supported',
    AG08: 'Invalid access rights',
    AG09: 'Payment not received',
    AG12: 'Not allowed between accounts of one bank',
    AM01: 'Amount zero',
    AM02: 'Amount not allowed',
    AM03: 'Currency not allowed',
    AM06: 'Amount too low',
    AM07: 'Amount blocked',
    AM09: 'Wrong amount',
    AM10: 'Invalid control sum',
    AM11: 'Invalid currency',
    AM12: 'Invalid amount',
    AM13: 'Amount exceeds the limit of the clearing system',
    AM14: 'Amount exceeds the agreed limit',
    AM16: 'Invalid control sum of the message',
    AM17: 'Invalid control sum of the batch',
    AM18: 'Invalid number of payments',
    AM19: 'Invalid number of payments of the message',
    AM20: 'Invalid number of payments of the batch',
    AM21: 'Limit exceeded',
    AM23: 'Amount exceeds the settlement limit',
    ARDT: 'Already returned',
    BE04: 'Address of the receiver missing',
    BE05: 'Sender not recognized',
    BE07: 'Address of the company missing',
    BE08: 'Name of the company missing',
    BE09: 'Invalid country',
    BE10: 'Invalid country of the company',
    BE11: 'Invalid country of the receiver',
    BE22: 'Name of the receiver missing',
    CH03: 'Execution date too far in the future',
    CH04: 'Execution date too far in the past',
    CURR: 'Incorrect currency',
    DNOR: 'Company’s bank not registered',
    DS04: 'Order rejected',
    DT01: 'Invalid date',
    ED06: 'Settlement system not available',
    FF01: 'Invalid file format',
    MS03: 'Reason not specified by the bank',
    NARR: 'Reason in the bank’s own words',
    NOAS: 'No answer from the receiver',
    NOOR: 'Original payment not received',
    RC03: 'Invalid bank of the company',
    RF01: 'Reference not unique',
    RR01: 'Account or identification of the company missing',
    RR02: 'Name or address of the company missing',
    RR03: 'Name or address of the receiver missing',
    RR04: 'Regulatory reason',
    TM01: 'After the cut-off time',
  }),
} as const satisfies Readonly<Record<string, Reason>>;
export type IsoReason = keyof typeof ISO_REASONS;

/** A reason by its code; that of a code that is not in the table is in the bank's own words. */
export function isoReasonOf(code: string | null): IsoReason {
  return code !== null && Object.hasOwn(ISO_REASONS, code) ? (code as IsoReason) : 'NARR';
}
