import type { DEPOSIT_STATUSES } from './statuses.ts';

export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

export type DepositAction = 'approve' | 'reject';

export const depositCan = {
  approve: ['pending'],
  reject: ['pending'],
} as const satisfies Record<DepositAction, readonly DepositStatus[]>;

export interface DepositMethod {
  readonly name: string;
  readonly processingTime: string;
  /** Charged on top of the amount: a share in basis points plus a fixed sum. */
  readonly fee: { readonly basisPoints: bigint; readonly fixedMinor: bigint };
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  /** Over one person's requests by this method in one day. */
  readonly dailyMinor: bigint;
}

const free = { basisPoints: 0n, fixedMinor: 0n } as const;

/** Spec, section 9. */
export const DEPOSIT_METHODS = {
  ach: {
    name: 'ACH transfer',
    processingTime: '1-3 business days',
    fee: free,
    minMinor: 100n,
    maxMinor: 1_000_000n,
    dailyMinor: 2_500_000n,
  },
  wire: {
    name: 'Wire transfer',
    processingTime: 'Same day',
    fee: { basisPoints: 0n, fixedMinor: 2_500n },
    minMinor: 100_000n,
    maxMinor: 10_000_000n,
    dailyMinor: 50_000_000n,
  },
  card: {
    name: 'Card',
    processingTime: 'Instant',
    fee: { basisPoints: 250n, fixedMinor: 30n },
    minMinor: 1_000n,
    maxMinor: 500_000n,
    dailyMinor: 1_000_000n,
  },
  mobile_check: {
    name: 'Mobile check',
    processingTime: '1-2 business days',
    fee: free,
    minMinor: 100n,
    maxMinor: 500_000n,
    dailyMinor: 1_000_000n,
  },
  physical_check: {
    name: 'Physical check',
    processingTime: '3-5 business days',
    fee: free,
    minMinor: 100n,
    maxMinor: 2_500_000n,
    dailyMinor: 5_000_000n,
  },
  secure_transfer: {
    name: 'Secure transfer',
    processingTime: '2-4 hours',
    fee: { basisPoints: 0n, fixedMinor: 5_000n },
    minMinor: 5_000_000n,
    maxMinor: 100_000_000n,
    dailyMinor: 500_000_000n,
  },
} as const satisfies Record<string, DepositMethod>;
export type DepositMethodId = keyof typeof DEPOSIT_METHODS;
export const DEPOSIT_METHOD_IDS = Object.keys(DEPOSIT_METHODS) as [
  DepositMethodId,
  ...DepositMethodId[],
];

/** The method's fee in minor units; a share of a cent rounds half up. */
export function depositFeeMinor(method: DepositMethodId, amountMinor: bigint): bigint {
  const { basisPoints, fixedMinor } = DEPOSIT_METHODS[method].fee;
  return (amountMinor * basisPoints + 5_000n) / 10_000n + fixedMinor;
}
