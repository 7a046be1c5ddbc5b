import type { BillFrequency } from '#contract/bills.ts';
import type { WalletType } from '#contract/wallets.ts';

/** Kinds of movements, as the oracle names them. */
export type MoveKind =
  | 'deposit'
  | 'withdrawal'
  | 'bill'
  | 'return'
  | 'transfer'
  | 'move'
  | 'payroll'
  | 'funding'
  | 'recovery'
  | 'reversal';

/** One movement on an account, in minor units. */
export interface ModelEntry {
  kind: MoveKind;
  minor: bigint;
  balance: bigint;
  at: Date;
}

export interface ModelAccount {
  id: string;
  ownerId: string;
  type: WalletType;
  posted: bigint;
  held: bigint;
  isClosed: boolean;
  /** Oldest first. */
  entries: ModelEntry[];
}

export interface ModelPerson {
  id: string;
  name: string;
  email: string;
  password: string;
  isAdmin: boolean;
  isEmployee: boolean;
  /** True if the identity of the person is approved. */
  isApproved: boolean;
  /** True while the person is deactivated. */
  hasLeft: boolean;
  /** True while no money of theirs may leave. */
  isFrozen: boolean;
  cookie: string;
  /** Session without a recent confirmation. */
  weakCookie: string;
  /** Session in a browser that the person has used for less than a week. */
  newCookie: string;
}

/** Key by which a system of the company asks in the name of its maker. */
export interface ModelKey {
  id: string;
  key: string;
  makerId: string;
  scopes: readonly string[];
  status: 'active' | 'revoked' | 'expired';
  /** Most that it sends in a day; null of one that sends nothing. */
  dailyLimit: bigint | null;
  /** Amounts that it sent, by the day of the company at the true time. */
  sent: Map<string, bigint>;
  /** Ids of the people whom it added a short time ago. */
  added: Set<string>;
}

/** Link by which somebody becomes an administrator. */
export interface ModelInvite {
  id: string;
  token: string;
  /** The only address that may use it; null for whoever has the link. */
  email: string | null;
  by: string;
  status: 'waiting' | 'used' | 'revoked' | 'expired';
}

/** An act on an administrator that another one has to accept. */
export interface ModelAccessProposal {
  id: string;
  act: 'revokeAdmin' | 'reactivate';
  personId: string;
  by: string;
}

export interface ModelRequest {
  id: string;
  ownerId: string;
  walletId: string;
  minor: bigint;
  status: string;
  requestedAt: Date;
  /** Ids of the administrators who did each act. */
  doneBy: Map<string, string>;
  /** Id of the returned request that this one sends again. */
  resendsId?: string;
  /** Time at which it was completed. */
  leftAt?: Date;
  /** Time at which its money came back. */
  returnedAt?: Date;
}

export interface ModelDeposit extends ModelRequest {
  day: string;
}

export interface ModelWithdrawal extends ModelRequest {
  bankId: string;
  /** Payout file that it is in, unless the file was cancelled. */
  fileId: string | null;
}

export interface ModelBill extends ModelRequest {
  payeeId: string;
  payOn: string;
  fileId: string | null;
}

export interface ModelStandingBill {
  id: string;
  ownerId: string;
  walletId: string;
  payeeId: string;
  minor: bigint;
  frequency: BillFrequency;
  startsOn: string;
  endsOn: string | null;
  /** Day of its next bill; null once it has ended. */
  nextOn: string | null;
}

/** A line of a statement of the company's bank. */
export interface ModelLineAtBank {
  text: string;
  minor: bigint;
  isMatched: boolean;
}

export interface ModelBank {
  id: string;
  ownerId: string;
  status: 'pending' | 'verified' | 'rejected' | 'returned' | 'removed';
  /** Time at which its owner entered or confirmed it last. */
  submittedAt: Date;
  /** Administrator who verified or corrected it last. */
  verifiedBy: string | null;
}

export interface ModelPayee {
  id: string;
  ownerId: string;
  /** True from the return of a bill until the owner confirms the payee. */
  isReturned: boolean;
  /** True if the owner removed the payee, or another one took its place. */
  isRemoved: boolean;
  /** Time at which its details were entered. */
  enteredAt: Date;
}

export interface ModelLine {
  /** Null until the line is read. */
  id: string | null;
  personId: string;
  walletId: string;
  minor: bigint;
  reversed: bigint;
  /** Null until it is paid. */
  paidAt: Date | null;
  /** True if it could not be paid: the person had left, or the wallet was closed. */
  isFailed: boolean;
  instalments: { recovery: ModelRecovery; minor: bigint; isGivenBack: boolean }[];
}

export interface ModelBatch {
  id: string;
  isFunding: boolean;
  walletType: WalletType;
  sentBy: string;
  sentAt: Date;
  /** Administrator who changed the amounts of its draft last. */
  amountsBy: string | null;
  /** Processing: its failed lines are tried again. Failed: nobody was paid. */
  status: 'waits' | 'pending' | 'processing' | 'completed' | 'failed' | 'ended';
  /** Time from which it may be paid. */
  from: Date;
  lines: ModelLine[];
  /** True once a second administrator approved it. */
  isApproved: boolean;
  /** Takes back what was counted as sent or approved by one administrator alone. */
  uncount: () => void;
}

export interface ModelRecovery {
  id: string;
  personId: string;
  line: ModelLine;
  walletType: WalletType;
  status: 'proposed' | 'accepted' | 'finished' | 'declined' | 'ended' | 'expired';
  minor: bigint;
  recovered: bigint;
  instalment: bigint;
  percent: bigint;
  startsOn: string;
  answerBy: string;
}

export interface ModelRule {
  kind: 'fixed' | 'percent' | 'above';
  /** Minor units, or hundredths of a percent. */
  value: bigint;
  to: { kind: 'wallet' | 'bank'; id: string };
}

export interface ModelPlan {
  ownerId: string;
  version: number;
  rules: ModelRule[];
  isPaused: boolean;
  skipsNext: boolean;
  /** True if its rules were entered in a new browser. */
  isOfNewBrowser: boolean;
}

/** A change of what a person is usually paid. */
export interface ModelUsualPay {
  id: string;
  personId: string;
  walletType: WalletType;
  former: bigint;
  minor: bigint;
  validFrom: string;
  needsSecond: boolean;
  status: 'waiting' | 'confirmed' | 'declined' | 'withdrawn';
  by: string;
  at: Date;
}

/** An automatic transfer between two wallets, made after a payroll line. */
export interface ModelMove {
  lineId: string;
  ownerId: string;
  fromId: string;
  toId: string;
  minor: bigint;
  isTakenBack: boolean;
}
