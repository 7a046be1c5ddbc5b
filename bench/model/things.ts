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
  status: 'pending' | 'verified' | 'rejected' | 'returned';
  /** Time at which its owner entered or confirmed it last. */
  submittedAt: Date;
}

export interface ModelPayee {
  id: string;
  ownerId: string;
  /** True from the return of a bill until the owner confirms the payee. */
  isReturned: boolean;
  /** True if the owner removed the payee, or another one took its place. */
  isRemoved: boolean;
}

export interface ModelFile {
  id: string;
  madeBy: string;
  /** First day on which a payment of it arrives. From then on it cannot be given out. */
  arrivesOn: string;
  status: 'prepared' | 'downloaded' | 'sent' | 'settled' | 'cancelled';
  withdrawals: ModelWithdrawal[];
  bills: ModelBill[];
  /** Null before it was sent. */
  sentAt: Date | null;
}

export interface ModelLine {
  /** Null until the line is read. */
  id: string | null;
  personId: string;
  walletId: string;
  minor: bigint;
  reversed: bigint;
  isPaid: boolean;
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
  status: 'waits' | 'pending' | 'completed' | 'ended';
  /** Time from which it may be paid. */
  from: Date;
  lines: ModelLine[];
  paidAt: Date | null;
  /** Amount that was counted as sent or approved by one administrator alone. */
  countedAlone: bigint;
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

/** Duties whose amounts add up over a month. */
export type ModelDuty = 'payroll' | 'deposit' | 'payout' | 'return';

/**
 * The money of a company as a careful person would keep it on paper: slow, simple, in memory, without a database and
 * without the rules of the product's own code. All amounts are minor units.
 */
export class Oracle {
  readonly people = new Map<string, ModelPerson>();
  readonly accounts = new Map<string, ModelAccount>();
  readonly deposits = new Map<string, ModelDeposit>();
  readonly withdrawals = new Map<string, ModelWithdrawal>();
  readonly bills = new Map<string, ModelBill>();
  readonly standingBills = new Map<string, ModelStandingBill>();
  readonly banks = new Map<string, ModelBank>();
  readonly payees = new Map<string, ModelPayee>();
  readonly files = new Map<string, ModelFile>();
  readonly batches = new Map<string, ModelBatch>();
  readonly recoveries = new Map<string, ModelRecovery>();
  /** Keyed by the wallet that the money leaves. */
  readonly plans = new Map<string, ModelPlan>();
  /** Changes of usual pay, oldest first, and the least difference from which one takes two people. */
  readonly usualPay = new Map<string, ModelUsualPay>();
  leastUsualPay: bigint | null = null;
  readonly moves: ModelMove[] = [];
  /** Payments to colleagues. */
  readonly payments: { payerId: string; minor: bigint; day: string }[] = [];
  /** Returns of payouts, in the order in which they were booked. */
  readonly returns: { ownerId: string; by: string; at: Date }[] = [];
  /** Statement lines of the company's bank, and by how much its first balance differs from what was owed. */
  readonly statement = { lines: [] as ModelLineAtBank[], startMinor: 0n, closingMinor: 0n };
  /** Closed months, oldest first, and the proposal to open the last one again. */
  readonly closed: string[] = [];
  reopening: { id: string; month: string; by: string } | null = null;
  /** Contents of the returns files that were booked. */
  readonly returnFiles: string[] = [];
  /** Addresses of people who came from files, and the administrator whose file is not confirmed. */
  readonly imported: string[] = [];
  openImport: string | null = null;
  /** Least amounts from which a duty takes two people. */
  readonly thresholds = new Map<ModelDuty, bigint>();
  /**
   * Sums of what one administrator did alone. They are those of one month, because the server counts by the clock of the
   * database, which a run does not move.
   */
  private readonly alone = new Map<ModelDuty, bigint>();

  account(id: string): ModelAccount {
    return this.found(this.accounts, id);
  }

  person(id: string): ModelPerson {
    return this.found(this.people, id);
  }

  /** Accounts of a person, in the order of their opening. */
  accountsOf(ownerId: string): ModelAccount[] {
    return [...this.accounts.values()].filter((one) => one.ownerId === ownerId);
  }

  accountOf(ownerId: string, type: WalletType): ModelAccount | undefined {
    return this.accountsOf(ownerId).find((one) => one.type === type);
  }

  openAccount(id: string, ownerId: string, type: WalletType): void {
    const empty = { posted: 0n, held: 0n, entries: [], isClosed: false };
    this.accounts.set(id, { id, type, ownerId, ...empty });
  }

  available(walletId: string): bigint {
    const { posted, held } = this.account(walletId);
    return posted - held;
  }

  hold(walletId: string, minor: bigint): void {
    this.account(walletId).held += minor;
  }

  release(walletId: string, minor: bigint): void {
    this.account(walletId).held -= minor;
  }

  post(walletId: string, kind: MoveKind, minor: bigint, at: Date): void {
    const account = this.account(walletId);
    account.posted += minor;
    account.entries.push({ kind, minor, balance: account.posted, at });
  }

  /** Posts a payment that came back, and opens its account again if it was closed. */
  postReturn(walletId: string, minor: bigint, at: Date): void {
    this.account(walletId).isClosed = false;
    this.post(walletId, 'return', minor, at);
  }

  /** True if a duty takes two people for this amount now. */
  takesTwo(duty: ModelDuty, minor: bigint): boolean {
    const least = this.thresholds.get(duty);
    if (least === undefined) return false;
    return (this.alone.get(duty) ?? 0n) + minor >= least;
  }

  /** Counts an amount that one administrator alone moved; a negative one takes it back. */
  countAlone(duty: ModelDuty, minor: bigint): void {
    if (!this.thresholds.has(duty)) return;
    this.alone.set(duty, (this.alone.get(duty) ?? 0n) + minor);
  }

  /** The administrator who booked the last return of a person before a request of theirs. */
  bookedReturn({ ownerId, requestedAt }: ModelRequest): string | undefined {
    return this.returns.findLast((one) => one.ownerId === ownerId && one.at <= requestedAt)?.by;
  }

  /** Sums over all accounts. */
  owed(): { posted: bigint; held: bigint } {
    const sums = { posted: 0n, held: 0n };
    for (const { posted, held } of this.accounts.values()) {
      sums.posted += posted;
      sums.held += held;
    }
    return sums;
  }

  private found<T>(map: ReadonlyMap<string, T>, id: string): T {
    const one = map.get(id);
    if (one === undefined) throw new Error(`the oracle does not know ${id}`);
    return one;
  }
}
