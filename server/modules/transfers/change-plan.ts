import type { AutomaticTransfers, RouteArguments } from '#contract/api.ts';
import { isMoreThanWhole } from '#contract/automatic-transfers.ts';
import type { TransferShare } from '#contract/automatic-transfers.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { lockPlan, readRules, ruleWords } from './plan.ts';
import type { TransferPlan } from './plan.ts';
import { loadTransfers } from './queries.ts';
import { listTargets } from './targets.ts';

type Clocked = Pick<Services, 'clock'>;
type Ordered = RouteArguments<'changeAutomaticTransfers'>['body'];
type NewRule = Ordered['rules'][number];

/**
 * Replaces the automatic transfers of one of the caller's wallets by a new version. Destinations that the present version
 * has may stay, also if they cannot be used now; a new one has to be an open wallet or a verified bank account. What is
 * sent to bank accounts by a version from a new browser counts to its limit (decision 059).
 *
 * @throws {AppError} `wallet_not_found`, `automatic_transfers_changed`, `amount_invalid`, `automatic_percent_sum`,
 *   `same_wallet`, `bank_account_not_verified`
 */
export async function changeTransfers(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { walletId, version, rules }: Ordered & { walletId: string },
): Promise<AutomaticTransfers> {
  const at = services.clock.now();
  const userId = by.actor.id;
  await lockUser(tx, userId);
  const settings = await readMoneyRules(tx);
  const wallet = await lockWallet(tx, { walletId, userId });
  const plan = await lockPlan(tx, walletId);
  if ((plan?.version ?? 0) !== version) throw new AppError('automatic_transfers_changed');
  checkShares(rules, settings.currency);
  const known = plan === undefined ? undefined : await readRules(tx, { settings, now: at }, [plan]);
  const kept = (known?.get(plan?.id ?? '') ?? []).map(({ target }) => target.id);
  await checkTargets(tx, { userId, walletId, kept }, rules);

  const id = plan?.id ?? newId(at.getTime());
  const changed = {
    version: version + 1,
    ruleCount: rules.length,
    changedAt: at,
    updatedAt: at,
    newBrowserUntil: by.newBrowserUntil ?? null,
  };
  if (plan === undefined) {
    await tx
      .insertInto('transferPlan')
      .values({ id, userId, walletId, ...changed })
      .execute();
  } else {
    await tx.updateTable('transferPlan').set(changed).where('id', '=', id).execute();
  }
  if (rules.length > 0) {
    const of = { planId: id, version: changed.version, userId };
    await tx
      .insertInto('transferRule')
      .values(rules.map((rule, index) => ({ ...of, position: index + 1, ...columnsOf(rule) })))
      .execute();
  }
  const now = await readRules(tx, { settings, now: at }, [
    { id, userId, version: changed.version },
  ]);
  record(tx, by, 'transfer_plan.changed', {
    id,
    personId: userId,
    at,
    details: {
      walletId,
      version: changed.version,
      rules: rules.map(recordedRule),
      newBrowserUntil: by.newBrowserUntil?.toISOString() ?? '',
    },
    words: {
      wallet: WALLET_LABELS[wallet.type],
      rules: ruleWords(now.get(id) ?? [], settings.currency),
    },
  });
  return loadTransfers(tx, services, { userId, walletId });
}

/** @throws {AppError} `amount_invalid` in another currency than the company's, `automatic_percent_sum` */
function checkShares(rules: readonly NewRule[], currency: Currency): void {
  if (rules.some((rule) => rule.kind !== 'percent' && rule.amount.currency !== currency)) {
    throw new AppError('amount_invalid');
  }
  if (isMoreThanWhole(rules.map(shareOf))) throw new AppError('automatic_percent_sum');
}

function shareOf(rule: NewRule): TransferShare {
  return rule.kind === 'percent'
    ? { kind: rule.kind, hundredths: rule.percentHundredths }
    : { kind: rule.kind, amountMinor: BigInt(rule.amount.minor) };
}

/**
 * @param plan.kept ids of the destinations of the present version
 * @throws {AppError} `same_wallet`, `wallet_not_found`, `bank_account_not_verified`
 */
async function checkTargets(
  tx: Tx,
  { userId, walletId, kept }: { userId: string; walletId: string; kept: readonly string[] },
  rules: readonly NewRule[],
): Promise<void> {
  const targets = await listTargets(tx, userId);
  for (const { to } of rules) {
    if (to.id === walletId) throw new AppError('same_wallet');
    const isKnown = targets.some(({ kind, id }) => kind === to.kind && id === to.id);
    if (isKnown || kept.includes(to.id)) continue;
    throw new AppError(to.kind === 'wallet' ? 'wallet_not_found' : 'bank_account_not_verified');
  }
}

function columnsOf(rule: NewRule) {
  const share = shareOf(rule);
  return {
    kind: share.kind,
    amountMinor: share.kind === 'percent' ? null : share.amountMinor,
    percentHundredths: share.kind === 'percent' ? share.hundredths : null,
    toWalletId: rule.to.kind === 'wallet' ? rule.to.id : null,
    bankAccountId: rule.to.kind === 'bank' ? rule.to.id : null,
  };
}

/** A rule as its record states it, which verification compares: `percent 500 wallet <id>`. */
function recordedRule(rule: NewRule): string {
  const share = shareOf(rule);
  const amount = share.kind === 'percent' ? share.hundredths : share.amountMinor;
  return `${share.kind} ${amount} ${rule.to.kind} ${rule.to.id}`;
}

/** A plan with rules, of one of the caller's open wallets. */
interface Locked {
  wallet: WalletRecord;
  plan: TransferPlan;
}

/** @throws {AppError} `wallet_not_found`, `automatic_transfers_none` */
async function lockWithRules(tx: Tx, userId: string, walletId: string): Promise<Locked> {
  await lockUser(tx, userId);
  const wallet = await lockWallet(tx, { walletId, userId });
  const plan = await lockPlan(tx, walletId);
  if (plan === undefined || plan.ruleCount === 0) throw new AppError('automatic_transfers_none');
  return { wallet, plan };
}

/**
 * Pauses the automatic transfers of one of the caller's wallets, or starts paused ones again. Does nothing where that is
 * so already.
 *
 * @throws {AppError} `wallet_not_found`, `automatic_transfers_none`
 */
export async function pauseTransfers(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { walletId, isPaused }: { walletId: string; isPaused: boolean },
): Promise<AutomaticTransfers> {
  const at = services.clock.now();
  const userId = by.actor.id;
  const { plan, wallet } = await lockWithRules(tx, userId, walletId);
  if (isPaused === (plan.pausedAt !== null))
    return loadTransfers(tx, services, { userId, walletId });
  await setPlan(tx, plan.id, { pausedAt: isPaused ? at : null, updatedAt: at });
  if (isPaused) {
    record(tx, by, 'transfer_plan.paused', { id: plan.id, personId: userId, at });
  } else {
    const settings = await readMoneyRules(tx);
    const rules = await readRules(tx, { settings, now: at }, [plan]);
    record(tx, by, 'transfer_plan.resumed', {
      id: plan.id,
      personId: userId,
      at,
      words: {
        wallet: WALLET_LABELS[wallet.type],
        rules: ruleWords(invariant(rules.get(plan.id), plan.id), settings.currency),
      },
    });
  }
  return loadTransfers(tx, services, { userId, walletId });
}

/**
 * Leaves out the next run of the automatic transfers of one of the caller's wallets, or has it run after all.
 *
 * @throws {AppError} `wallet_not_found`, `automatic_transfers_none`
 */
export async function skipTransfers(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { walletId, isSkipped }: { walletId: string; isSkipped: boolean },
): Promise<AutomaticTransfers> {
  const at = services.clock.now();
  const userId = by.actor.id;
  const { plan } = await lockWithRules(tx, userId, walletId);
  if (plan.skipsNext !== isSkipped) {
    await setPlan(tx, plan.id, { skipsNext: isSkipped, updatedAt: at });
    const event = isSkipped ? 'transfer_plan.skip_next' : 'transfer_plan.skip_undone';
    record(tx, by, event, { id: plan.id, personId: userId, at });
  }
  return loadTransfers(tx, services, { userId, walletId });
}

/** Ends the skipping of the next run, which has come. The plan has been locked. */
export function endSkip(tx: Tx, planId: string, at: Date): Promise<void> {
  return setPlan(tx, planId, { skipsNext: false, updatedAt: at });
}

async function setPlan(
  tx: Tx,
  id: string,
  columns: { pausedAt?: Date | null; skipsNext?: boolean; updatedAt: Date },
): Promise<void> {
  await tx.updateTable('transferPlan').set(columns).where('id', '=', id).execute();
}
