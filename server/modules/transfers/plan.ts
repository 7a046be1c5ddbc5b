import { sql } from 'kysely';
import type {
  TransferKind,
  TransferProblem,
  TransferShare,
} from '#contract/automatic-transfers.ts';
import { formatPercent } from '#contract/automatic-transfers.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { BankAccountStatus } from '#contract/bank-accounts.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { InvariantError } from '#server/lib/errors.ts';
import { bankLabel } from '#server/modules/bank-accounts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';

/** The automatic transfers of one wallet. */
export interface TransferPlan {
  id: string;
  userId: string;
  walletId: string;
  version: number;
  ruleCount: number;
  pausedAt: Date | null;
  skipsNext: boolean;
  /** End of the first week of the browser that made the version, where it was a new one. */
  newBrowserUntil: Date | null;
  changedAt: Date;
}

function selectPlans(reader: Reader) {
  return reader
    .selectFrom('transferPlan')
    .select(['id', 'userId', 'walletId', 'version', 'ruleCount', 'pausedAt', 'skipsNext'])
    .select(['newBrowserUntil', 'changedAt']);
}

export function readPlans(reader: Reader, userId: string): Promise<TransferPlan[]> {
  return selectPlans(reader).where('userId', '=', userId).execute();
}

/** Locks the plan of a wallet until the transaction ends. The person's row has been locked. */
export function lockPlan(tx: Tx, walletId: string): Promise<TransferPlan | undefined> {
  return selectPlans(tx).where('walletId', '=', walletId).forNoKeyUpdate().executeTakeFirst();
}

/** The destination of a rule. */
export interface Target {
  kind: 'wallet' | 'bank';
  id: string;
  name: string;
  last4: string;
}

/** A rule with its destination, and the reason why it would be left out now. */
export type PlanRule = TransferShare & {
  position: number;
  target: Target;
  problem: TransferProblem | null;
};

/** SQL columns of a destination, of `to_wallet` or of `bank`. */
export const TARGET_COLUMNS = sql`
  coalesce(to_wallet.id, bank.id) AS target_id, to_wallet.type AS to_type, to_wallet.last4 AS to_last4,
  bank.bank_name, bank.last4 AS bank_last4`;

export interface TargetRow {
  targetId: string;
  toType: WalletType | null;
  toLast4: string | null;
  bankName: string | null;
  bankLast4: string | null;
}

export function presentTarget({ targetId: id, ...row }: TargetRow): Target {
  return row.toType === null
    ? { kind: 'bank', id, name: row.bankName ?? '', last4: row.bankLast4 ?? '' }
    : { kind: 'wallet', id, name: WALLET_LABELS[row.toType], last4: row.toLast4 ?? '' };
}

/** `Savings Account (401k)`, `Cascade Federal ••2208` */
export function targetLabel({ kind, name, last4 }: Target): string {
  return kind === 'wallet' ? name : bankLabel({ bankName: name, last4 });
}

interface RuleRow extends TargetRow {
  planId: string;
  position: number;
  kind: TransferKind;
  amountMinor: bigint | null;
  percentHundredths: number | null;
  isClosed: boolean | null;
  isRemoved: boolean | null;
  bankStatus: BankAccountStatus | null;
  payableFrom: Date | null;
}

/**
 * The rules of plans in their order, by plan, each with the reason why it would be left out now.
 *
 * @param plans plans of one person
 */
export async function readRules(
  reader: Reader,
  { settings, now }: { settings: MoneyRules; now: Date },
  plans: readonly Pick<TransferPlan, 'id' | 'version' | 'userId'>[],
): Promise<ReadonlyMap<string, PlanRule[]>> {
  const [first] = plans;
  if (first === undefined) return new Map();
  const { rows } = await sql<RuleRow>`
    SELECT rule.plan_id, rule.position, rule.kind, rule.amount_minor, rule.percent_hundredths, ${TARGET_COLUMNS},
           to_wallet.closed_at IS NOT NULL AS is_closed, bank.removed_at IS NOT NULL AS is_removed,
           bank.status AS bank_status, ${payableFrom('bank.submitted_at', 'owner.password_reset_at')} AS payable_from
      FROM unnest(${plans.map(({ id }) => id)}::uuid[], ${plans.map(({ version }) => version)}::integer[])
             AS plan (id, version)
      JOIN transfer_rule AS rule ON rule.plan_id = plan.id AND rule.version = plan.version
      JOIN app_user AS owner ON owner.id = rule.user_id
      LEFT JOIN wallet AS to_wallet ON to_wallet.id = rule.to_wallet_id
      LEFT JOIN bank_account AS bank ON bank.id = rule.bank_account_id
     ORDER BY rule.plan_id, rule.position`.execute(reader);
  const ofPerson = await readPerson(reader, settings, first.userId);
  const byPlan = new Map<string, PlanRule[]>(plans.map(({ id }) => [id, []]));
  for (const row of rows) {
    const { position } = row;
    const problem = problemOf(row, { ...ofPerson, settings, now });
    byPlan
      .get(row.planId)
      ?.push({ ...shareOf(row), position, target: presentTarget(row), problem });
  }
  return byPlan;
}

interface Person {
  isFrozen: boolean;
  isIdentityMissing: boolean;
}

async function readPerson(reader: Reader, settings: MoneyRules, userId: string): Promise<Person> {
  const { payoutsFrozenAt } = await reader
    .selectFrom('appUser')
    .select('payoutsFrozenAt')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    isFrozen: payoutsFrozenAt !== null,
    isIdentityMissing:
      settings.requireApprovedIdentity && !(await isIdentityApproved(reader, userId)),
  };
}

/** The reason why a rule is left out now; null where it is not. */
function problemOf(
  row: RuleRow,
  { settings, now, isFrozen, isIdentityMissing }: Person & { settings: MoneyRules; now: Date },
): TransferProblem | null {
  if (row.isClosed === true && row.toType !== null) return 'wallet_closed';
  if (settings.payoutsStoppedAt !== null) return 'payments_stopped';
  if (row.toType !== null) return null;
  if (row.isRemoved === true) return 'bank_removed';
  if (row.bankStatus !== 'verified') return 'bank_unverified';
  if (isFrozen) return 'payouts_frozen';
  if (isIdentityMissing) return 'identity_not_approved';
  return row.payableFrom !== null && row.payableFrom > now ? 'bank_cooling_off' : null;
}

/** The table's check has one of the two columns, by the kind. */
function shareOf({ kind, amountMinor, percentHundredths }: RuleRow): TransferShare {
  if (kind === 'percent' && percentHundredths !== null) {
    return { kind, hundredths: percentHundredths };
  }
  if (kind !== 'percent' && amountMinor !== null) return { kind, amountMinor };
  throw new InvariantError(`a rule of the kind ${kind} has no share`);
}

/** `$150.00 to Savings Account (401k), 5% to Retirement (IRA), everything above $500.00 to Cascade Federal ••2208` */
export function ruleWords(rules: readonly PlanRule[], currency: Currency): string {
  const words = rules.map((rule) => `${shareWords(rule, currency)} to ${targetLabel(rule.target)}`);
  return words.length === 0 ? 'nothing is transferred' : words.join(', ');
}

function shareWords(share: TransferShare, currency: Currency): string {
  if (share.kind === 'percent') return formatPercent(share.hundredths);
  const amount = formatMoney(money(share.amountMinor, currency));
  return share.kind === 'fixed' ? amount : `everything above ${amount}`;
}
