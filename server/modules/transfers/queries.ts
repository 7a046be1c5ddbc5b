import { sql } from 'kysely';
import type { AutomaticTransfers, RouteReply } from '#contract/api.ts';
import { TRANSFER_PROBLEMS } from '#contract/automatic-transfers.ts';
import type { TransferProblem, TransferRunOutcome } from '#contract/automatic-transfers.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { nextPayday } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWalletsOf } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { presentTarget, readPlans, readRules, TARGET_COLUMNS } from './plan.ts';
import type { PlanRule, TargetRow } from './plan.ts';
import { listTargets } from './targets.ts';

type Clocked = Pick<Services, 'clock'>;
type Run = AutomaticTransfers['runs'][number];

/** Number of runs that are shown. */
const SHOWN_RUNS = 5;

/** The automatic transfers of a person, by their open wallets. */
export async function getTransfers(
  reader: Reader,
  services: Clocked,
  userId: string,
): Promise<RouteReply<'getAutomaticTransfers'>> {
  const settings = await readSettings(reader);
  const now = services.clock.now();
  return {
    nextRunOn: await nextPayday(reader, settings, { userId, now }),
    wallets: await readWallets(reader, services, userId),
    targets: await listTargets(reader, userId),
  };
}

/** @throws {AppError} `wallet_not_found` */
export async function loadTransfers(
  reader: Reader,
  services: Clocked,
  { userId, walletId }: { userId: string; walletId: string },
): Promise<AutomaticTransfers> {
  const wallets = await readWallets(reader, services, userId);
  const found = wallets.find((wallet) => wallet.walletId === walletId);
  if (found === undefined) throw new AppError('wallet_not_found');
  return found;
}

async function readWallets(
  reader: Reader,
  { clock }: Clocked,
  userId: string,
): Promise<AutomaticTransfers[]> {
  const settings = await readSettings(reader);
  const { currency } = settings;
  const wallets = await openWalletsOf(reader, userId);
  const plans = await readPlans(reader, userId);
  const rules = await readRules(reader, { settings, now: clock.now() }, plans);
  const runs = await readRuns(reader, currency, plans);
  const examples = await readExamples(reader, userId);
  return wallets.map((wallet) => {
    const plan = plans.find(({ walletId }) => walletId === wallet.id);
    const example = examples.find(({ walletId }) => walletId === wallet.id);
    return {
      ...shownWallet(wallet),
      version: plan?.version ?? 0,
      rules: (rules.get(plan?.id ?? '') ?? []).map((rule) => presentRule(rule, currency)),
      pausedAt: plan?.pausedAt?.toISOString() ?? null,
      skipsNext: plan?.skipsNext ?? false,
      changedAt: plan?.changedAt.toISOString() ?? null,
      example:
        example === undefined
          ? null
          : {
              paidOn: dayIn(settings.timeZone, example.paidAt),
              before: money(example.beforeMinor, currency),
              paid: money(example.paidMinor, currency),
            },
      runs: runs.get(plan?.id ?? '') ?? [],
    };
  });
}

function shownWallet({ id, type, last4 }: WalletRecord) {
  return { walletId: id, walletName: WALLET_LABELS[type], walletLast4: last4 };
}

function presentRule(rule: PlanRule, currency: Currency): AutomaticTransfers['rules'][number] {
  return {
    position: rule.position,
    kind: rule.kind,
    amount: rule.kind === 'percent' ? null : money(rule.amountMinor, currency),
    percentHundredths: rule.kind === 'percent' ? rule.hundredths : null,
    to: rule.target,
    refusal: sentenceOf(rule.problem),
  };
}

function sentenceOf(problem: TransferProblem | null): string | null {
  return problem === null ? null : TRANSFER_PROBLEMS[problem];
}

interface Example {
  walletId: string;
  paidAt: Date;
  paidMinor: bigint;
  beforeMinor: bigint;
}

/** The last payroll line into each wallet of a person, with what the wallet had before it. */
async function readExamples(reader: Reader, userId: string): Promise<Example[]> {
  const { rows } = await sql<Example>`
    SELECT DISTINCT ON (line.wallet_id) line.wallet_id, line.processed_at AS paid_at,
           line.amount_minor AS paid_minor, entry.balance_after - entry.amount AS before_minor
      FROM payroll_line AS line
      JOIN payroll_batch AS batch ON batch.id = line.batch_id AND batch.funding_type IS NULL
      JOIN wallet ON wallet.id = line.wallet_id
      JOIN ledger_entry AS entry ON entry.transaction_id = line.ledger_transaction_id
       AND entry.account_id = wallet.ledger_account_id
     WHERE line.user_id = ${userId} AND line.status = 'processed'
     ORDER BY line.wallet_id, line.processed_at DESC`.execute(reader);
  return rows;
}

interface RunRow extends Omit<TargetRow, 'targetId'> {
  lineId: string;
  planId: string;
  outcome: TransferRunOutcome;
  paidMinor: bigint;
  ranAt: Date;
  targetId: string | null;
  position: number | null;
  wantedMinor: bigint | null;
  amountMinor: bigint | null;
  problem: TransferProblem | null;
}

/** The newest runs of plans, by plan. */
async function readRuns(
  reader: Reader,
  currency: Currency,
  plans: readonly { id: string }[],
): Promise<ReadonlyMap<string, Run[]>> {
  const { rows } = await sql<RunRow>`
    SELECT run.line_id, run.plan_id, run.outcome, run.paid_minor, run.ran_at, made.wanted_minor,
           made.amount_minor, made.position, made.problem, ${TARGET_COLUMNS}
      FROM unnest(${plans.map(({ id }) => id)}::uuid[]) AS plan (id)
      CROSS JOIN LATERAL (SELECT * FROM transfer_run WHERE plan_id = plan.id
                           ORDER BY ran_at DESC, line_id DESC LIMIT ${SHOWN_RUNS}) AS run
      LEFT JOIN automatic_transfer AS made ON made.line_id = run.line_id
      LEFT JOIN transfer_rule AS rule
        ON rule.plan_id = run.plan_id AND rule.version = run.version AND rule.position = made.position
      LEFT JOIN wallet AS to_wallet ON to_wallet.id = rule.to_wallet_id
      LEFT JOIN bank_account AS bank ON bank.id = rule.bank_account_id
     ORDER BY run.ran_at DESC, run.line_id DESC, made.position`.execute(reader);
  const byPlan = new Map<string, Run[]>();
  for (const row of rows) {
    const runs = byPlan.get(row.planId) ?? [];
    byPlan.set(row.planId, runs);
    let run = runs.find(({ id }) => id === row.lineId);
    if (run === undefined) {
      run = {
        id: row.lineId,
        at: row.ranAt.toISOString(),
        outcome: row.outcome,
        paid: money(row.paidMinor, currency),
        transfers: [],
      };
      runs.push(run);
    }
    const { targetId, position, amountMinor, wantedMinor, problem } = row;
    if (targetId === null || position === null || amountMinor === null || wantedMinor === null) {
      continue;
    }
    run.transfers.push({
      position,
      to: presentTarget({ ...row, targetId }),
      amount: money(amountMinor, currency),
      wanted: money(wantedMinor, currency),
      problem: sentenceOf(problem),
    });
  }
  return byPlan;
}
