import { dayIn } from '#contract/calendar.ts';
import type { WalletType } from '#contract/wallets.ts';
import type {
  ModelFile,
  ModelPayment,
  ModelProof,
  ModelReturnEntry,
  ModelReversal,
} from './bank-things.ts';
import { DUTY_RULES, FIRST_RULES, zoneOfRules } from './rules.ts';
import type { ModelDuty, ModelRules, RuleName } from './rules.ts';
import type {
  ModelAccessProposal,
  ModelAccount,
  ModelBank,
  ModelBatch,
  ModelBill,
  ModelDeposit,
  ModelInvite,
  ModelKey,
  ModelLineAtBank,
  ModelMove,
  ModelPayee,
  ModelPerson,
  ModelPlan,
  ModelRecovery,
  ModelRequest,
  ModelStandingBill,
  ModelUsualPay,
  ModelWithdrawal,
  MoveKind,
} from './things.ts';

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
  readonly reversals = new Map<string, ModelReversal>();
  readonly batches = new Map<string, ModelBatch>();
  readonly recoveries = new Map<string, ModelRecovery>();
  /** Keyed by the wallet that the money leaves. */
  readonly plans = new Map<string, ModelPlan>();
  /** Changes of usual pay, oldest first. */
  readonly usualPay = new Map<string, ModelUsualPay>();
  readonly moves: ModelMove[] = [];
  /** Amounts that people sent from new browsers, by person and day. */
  readonly sentNew = new Map<string, bigint>();
  /** Payments to colleagues. */
  readonly payments: { payerId: string; minor: bigint; day: string }[] = [];
  /** Payments that were in a payout file, also those of cancelled ones. */
  readonly payouts: ModelPayment[] = [];
  /** Returns of payouts, in the order in which they were booked. */
  readonly returns: { ownerId: string; by: string; at: Date }[] = [];
  /** Contents of the returns files that were booked, their entries, and what tells two entries apart. */
  readonly returnFiles: string[] = [];
  readonly returnEntries = new Map<string, ModelReturnEntry>();
  readonly returnKeys = new Set<string>();
  /** Statement lines of the company's bank, and by how much its first balance differs from what was owed. */
  readonly statement = {
    lines: [] as ModelLineAtBank[],
    lastDay: '',
    startMinor: 0n,
    closingMinor: 0n,
  };
  /** Times at which money of the company itself was posted. */
  readonly ownPostings: Date[] = [];
  /** Closed months, oldest first, and the proposal to open the last one again. */
  readonly closed: string[] = [];
  reopening: { id: string; month: string; by: string } | null = null;
  /** Addresses of people who came from files, and the administrator whose file is not confirmed. */
  readonly imported: string[] = [];
  /** Addresses of people whom an administrator or an API key added. */
  readonly added: string[] = [];
  openImport: string | null = null;
  /** Settings of the company, the version of the last change of each, and the change that waits for another person. */
  rules: ModelRules = { ...FIRST_RULES };
  readonly changedIn = new Map<RuleName, number>();
  proposal: {
    id: string;
    by: string;
    rules: Partial<ModelRules>;
    seen: Partial<ModelRules>;
  } | null = null;
  /** True while payouts are stopped, because a verification of the books found a problem. */
  isStopped = false;
  readonly apiKeys = new Map<string, ModelKey>();
  readonly invites = new Map<string, ModelInvite>();
  readonly accessProposals = new Map<string, ModelAccessProposal>();
  /** Administrators who came a short time ago, each with who let them in. */
  readonly newcomers: { id: string; by: string }[] = [];
  /** Sessions that ended, as cookies. */
  readonly ended: string[] = [];
  /** Sums of what one administrator did alone, by duty and month. */
  private readonly alone = new Map<string, bigint>();

  account(id: string): ModelAccount {
    return this.found(this.accounts, id);
  }

  person(id: string): ModelPerson {
    return this.found(this.people, id);
  }

  bank(id: string): ModelBank {
    return this.found(this.banks, id);
  }

  file(id: string): ModelFile {
    return this.found(this.files, id);
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

  /** Prenotes and micro-deposits of all files. */
  proofs(): ModelProof[] {
    return [...this.files.values()].flatMap(({ proofs }) => proofs);
  }

  /** Statuses in which a request uses its bank account: money is on its way to it. */
  usesOf(bankId: string): number {
    const using = ['pending', 'approved', 'processing'];
    return [...this.withdrawals.values()].filter(
      (one) => one.bankId === bankId && using.includes(one.status),
    ).length;
  }

  /** True if a person has to prove who they are before money of theirs leaves, and did not. */
  lacksIdentity({ isApproved }: ModelPerson): boolean {
    return this.rules.requireApprovedIdentity && !isApproved;
  }

  /** True if money to a destination waits, because its details were entered a short time ago. */
  coolsOff(enteredAt: Date, now: Date): boolean {
    const ms = this.rules.payoutCoolingHours * 3_600_000;
    return ms > 0 && enteredAt.getTime() + ms > now.getTime();
  }

  /**
   * True if an administrator is no other person than those who did the earlier acts: they did one themselves, let in who
   * did it, also through others, or were let in a short time ago.
   */
  isAlone(
    { id }: Pick<ModelPerson, 'id'>,
    doneBy: readonly (string | null | undefined)[],
  ): boolean {
    const earlier = doneBy.filter((one) => one !== null && one !== undefined);
    if (earlier.length === 0) return false;
    const theirs = [id];
    for (const one of theirs) {
      const next = this.newcomers.filter(({ by }) => by === one);
      theirs.push(...next.map((newcomer) => newcomer.id).filter((each) => !theirs.includes(each)));
    }
    return this.isNew(id) || earlier.some((one) => theirs.includes(one));
  }

  /** True for an administrator who is nobody's second person yet. */
  isNew(id: string): boolean {
    return this.newcomers.some((one) => one.id === id);
  }

  /**
   * True if a duty takes two people for this amount now.
   *
   * @param ownerId the person who is paid, for each of whom amounts to verified accounts add up
   */
  takesTwo(duty: ModelDuty, minor: bigint, ownerId?: string): boolean {
    const least = this.rules[DUTY_RULES[duty]];
    return least !== null && (this.alone.get(this.sumOf(duty, ownerId)) ?? 0n) + minor >= least;
  }

  /**
   * Counts an amount that one administrator alone moved, if the duty is separated.
   *
   * @returns takes it back
   */
  countAlone(duty: ModelDuty, minor: bigint, ownerId?: string): () => void {
    if (this.rules[DUTY_RULES[duty]] === null) return () => undefined;
    const sum = this.sumOf(duty, ownerId);
    const add = (more: bigint) => this.alone.set(sum, (this.alone.get(sum) ?? 0n) + more);
    add(minor);
    return () => void add(-minor);
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

  /** The sum to which an amount counts: of a month by the clock of the database, which a run does not move. */
  private sumOf(duty: ModelDuty, ownerId: string | undefined): string {
    const paid = duty === 'bankAccount' ? ownerId : undefined;
    return `${duty} ${paid ?? ''} ${dayIn(zoneOfRules(this.rules), new Date()).slice(0, 7)}`;
  }

  private found<T>(map: ReadonlyMap<string, T>, id: string): T {
    const one = map.get(id);
    if (one === undefined) throw new Error(`the oracle does not know ${id}`);
    return one;
  }
}
