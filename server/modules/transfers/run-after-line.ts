import { sql } from 'kysely';
import { allotTransfers, TRANSFER_PROBLEMS } from '#contract/automatic-transfers.ts';
import type {
  AllottedTransfer,
  TransferProblem,
  TransferRunOutcome,
} from '#contract/automatic-transfers.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { withSavepoint } from '#server/db/savepoint.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import type { DueTransfer } from '#server/modules/payroll/index.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';
import { lockWallets } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { endSkip } from './change-plan.ts';
import { makeTransfer } from './make-transfer.ts';
import type { Made, PaidLine, Run } from './make-transfer.ts';
import { lockPlan, readRules, targetLabel } from './plan.ts';
import type { PlanRule, TransferPlan } from './plan.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Runs the rules of a wallet after a payroll line into it, as they are now, and writes the run, of which there is one for
 * each line. All of it is done by the caller's transaction or nothing. Money that a rule moves into a wallet is no payroll
 * line, so rules that lead in a circle end after one step. The person's row has been locked.
 */
export async function runAfterLine(tx: Tx, services: Clocked, due: DueTransfer): Promise<void> {
  const at = services.clock.now();
  const settings = await readMoneyRules(tx);
  const walletId = await walletOf(tx, due.lineId);
  const plan = invariant(await lockPlan(tx, walletId), `no plan of ${walletId}`);
  const rules = (await readRules(tx, { settings, now: at }, [plan])).get(plan.id) ?? [];
  const ids = rules.flatMap(({ target }) => (target.kind === 'wallet' ? [target.id] : []));
  const wallets = await lockWallets(tx, { userId: due.userId, ids: [walletId, ...ids] });
  // After the wallets, so that a reversal has either been done or waits.
  const line = await readLine(tx, due.lineId);
  const source = wallets.get(walletId);
  const without = await outcomeWithout(tx, { plan, line, source });
  if (without !== null || source === undefined) {
    await leaveOut(tx, { plan, line, at }, without ?? 'wallet_closed');
    return;
  }
  const run = { line, plan, settings, wallets, source, at };
  const balances = await accountBalances(tx, [source.ledgerAccountId]);
  const balance = invariant(balances.get(source.ledgerAccountId), `no account of ${walletId}`);
  await makeRun(tx, services, run, { rules, availableMinor: balance.availableMinor });
}

async function walletOf(tx: Tx, lineId: string): Promise<string> {
  const { walletId } = await tx
    .selectFrom('payrollLine')
    .select('walletId')
    .where('id', '=', lineId)
    .executeTakeFirstOrThrow();
  return invariant(walletId, `the paid line ${lineId} has a wallet`);
}

async function readLine(tx: Tx, lineId: string): Promise<PaidLine> {
  const { rows } = await sql<PaidLine>`
    SELECT id, status <> 'processed' AS is_gone,
           greatest(0, amount_minor - reversed_minor
             - (SELECT coalesce(sum(amount_minor), 0) FROM recovery_instalment
                 WHERE line_id = line.id AND given_back_transaction_id IS NULL))::bigint AS paid_minor
      FROM payroll_line AS line WHERE id = ${lineId}`.execute(tx);
  return invariant(rows[0], `the paid line ${lineId}`);
}

/** The outcome of a run in which no rule has its turn; null where they have. */
async function outcomeWithout(
  tx: Tx,
  { plan, line, source }: { plan: TransferPlan; line: PaidLine; source: WalletRecord | undefined },
): Promise<TransferRunOutcome | null> {
  const { deactivatedAt } = await tx
    .selectFrom('appUser')
    .select('deactivatedAt')
    .where('id', '=', plan.userId)
    .executeTakeFirstOrThrow();
  if (deactivatedAt !== null) return 'left';
  if (plan.pausedAt !== null) return 'paused';
  if (plan.ruleCount === 0) return 'no_rules';
  if (line.isGone) return 'taken_back';
  if (source === undefined) return 'wallet_closed';
  return plan.skipsNext ? 'skipped' : null;
}

/** Writes a run without a transfer, of which its owner reads on their screen. */
async function leaveOut(
  tx: Tx,
  { plan, line, at }: Pick<Run, 'plan' | 'line' | 'at'>,
  outcome: TransferRunOutcome,
): Promise<void> {
  if (outcome === 'skipped') await endSkip(tx, plan.id, at);
  await insertRun(tx, { plan, line, at }, { outcome, availableMinor: 0n });
  const event = outcome === 'skipped' ? 'transfer_plan.skipped' : 'transfer_plan.left_out';
  record(tx, { actor: 'system' }, event, {
    id: plan.id,
    personId: plan.userId,
    at,
    details: { lineId: line.id, version: plan.version, outcome },
  });
}

async function insertRun(
  tx: Tx,
  { plan, line, at }: Pick<Run, 'plan' | 'line' | 'at'>,
  { outcome, availableMinor }: { outcome: TransferRunOutcome; availableMinor: bigint },
): Promise<void> {
  await tx
    .insertInto('transferRun')
    .values({
      lineId: line.id,
      planId: plan.id,
      userId: plan.userId,
      version: plan.version,
      outcome,
      paidMinor: line.paidMinor,
      availableMinor,
      ranAt: at,
    })
    .execute();
}

/** A rule with its amounts in this run. */
type Turn = AllottedTransfer & { rule: PlanRule; problem: TransferProblem | null };

async function makeRun(
  tx: Tx,
  services: Clocked,
  run: Run,
  { rules, availableMinor }: { rules: readonly PlanRule[]; availableMinor: bigint },
): Promise<void> {
  const { plan, line, at, settings } = run;
  const turns = await allot(tx, run, { rules, availableMinor });
  await insertRun(tx, run, { outcome: 'made', availableMinor });
  const made: (Turn & Made)[] = [];
  for (const turn of turns) {
    const { rule, amountMinor } = turn;
    made.push({ ...turn, ...(await makeTransfer(tx, services, run, { rule, amountMinor })) });
  }
  await tx
    .insertInto('automaticTransfer')
    .values(
      made.map(({ rule, wantedMinor, amountMinor, problem, walletMoveId, withdrawalId }) => ({
        lineId: line.id,
        position: rule.position,
        wantedMinor,
        amountMinor,
        problem,
        walletMoveId,
        withdrawalId,
      })),
    )
    .execute();
  recordRun(
    tx,
    { plan, line, at, currency: settings.currency, source: run.source },
    {
      made,
      availableMinor,
    },
  );
}

/**
 * The amount of each rule. One that exceeds what a new browser may send in a day is left out, and those after it are
 * allotted again.
 */
async function allot(
  tx: Tx,
  { plan, line, settings, at }: Run,
  { rules, availableMinor }: { rules: readonly PlanRule[]; availableMinor: bigint },
): Promise<Turn[]> {
  const problems = rules.map(({ problem }) => problem);
  const allotted = () =>
    allotTransfers(
      rules.map((rule, index) => ({ ...rule, isLeftOut: problems[index] !== null })),
      { paidMinor: line.paidMinor, availableMinor },
    );
  for (const [index, { target }] of rules.entries()) {
    const { amountMinor } = invariant(allotted()[index], 'an amount of each rule');
    if (target.kind !== 'bank' || amountMinor === 0n) continue;
    const isRefused = await exceedsNewBrowser(tx, plan, { settings, amountMinor, at });
    if (isRefused) problems[index] = 'new_browser_limit';
  }
  return allotted().map((amounts, index) => {
    const isShort = amounts.amountMinor < amounts.wantedMinor;
    return {
      ...amounts,
      rule: invariant(rules[index], 'a rule of each amount'),
      problem: problems[index] ?? (isShort ? 'not_enough' : null),
    };
  });
}

/** Counts an amount that a version from a new browser sends to a bank account; true where it exceeds the limit. */
async function exceedsNewBrowser(
  tx: Tx,
  { userId, newBrowserUntil }: TransferPlan,
  sent: { settings: MoneyRules; amountMinor: bigint; at: Date },
): Promise<boolean> {
  if (newBrowserUntil === null || newBrowserUntil <= sent.at) return false;
  const by = { actor: { id: userId, role: 'employee', name: '' }, newBrowserUntil } as const;
  try {
    await withSavepoint(tx, () => countInNewBrowser(tx, by, sent));
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'new_browser_limit') return true;
    throw error;
  }
}

interface Recorded extends Pick<Run, 'plan' | 'line' | 'at' | 'source'> {
  currency: Currency;
}

/** Records a run, and notifies its owner of it once, with what could not be done. */
function recordRun(
  tx: Tx,
  { plan, line, at, currency, source }: Recorded,
  { made, availableMinor }: { made: readonly (Turn & Made)[]; availableMinor: bigint },
): void {
  const amountTo = ({ rule }: Turn, minor: bigint) =>
    `${formatMoney(money(minor, currency))} to ${targetLabel(rule.target)}`;
  const moved = made.filter(({ amountMinor }) => amountMinor > 0n);
  // An "everything above" that finds nothing above is no failure.
  const short = made.filter(({ wantedMinor, problem, rule }) =>
    problem === 'not_enough' ? wantedMinor > 0n : problem !== null && rule !== undefined,
  );
  const leftOut = short.map((turn) => {
    const reason = TRANSFER_PROBLEMS[invariant(turn.problem, 'a reason')];
    const wanted =
      turn.rule.kind === 'above' ? targetWords(turn) : amountTo(turn, turn.wantedMinor);
    return turn.amountMinor === 0n
      ? `${wanted} was left out. ${reason}`
      : `${amountTo(turn, turn.wantedMinor)} was made in part. ${reason}`;
  });
  record(
    tx,
    { actor: 'system' },
    short.length > 0 ? 'transfer_plan.run_in_part' : 'transfer_plan.run',
    {
      id: plan.id,
      personId: plan.userId,
      at,
      isSilent: moved.length === 0 && short.length === 0,
      details: {
        lineId: line.id,
        version: plan.version,
        outcome: 'made',
        paidMinor: String(line.paidMinor),
        availableMinor: String(availableMinor),
        transfers: made.map(recordedTransfer),
      },
      words: {
        wallet: WALLET_LABELS[source.type],
        made:
          moved.length === 0
            ? null
            : moved.map((turn) => amountTo(turn, turn.amountMinor)).join(', '),
        leftOut: leftOut.join(' '),
      },
    },
  );
}

function targetWords({ rule }: Turn): string {
  return `The transfer to ${targetLabel(rule.target)}`;
}

/** A transfer as its record states it, which verification compares: `1 15000 <id of the move or withdrawal>`. */
function recordedTransfer({ rule, amountMinor, walletMoveId, withdrawalId }: Turn & Made): string {
  return `${rule.position} ${amountMinor} ${walletMoveId ?? withdrawalId ?? '-'}`;
}
