import type { RouteReply } from '#contract/api.ts';
import { anAdmin, anAmount, anEmployee, ask, attempt } from './attempt.ts';
import { expectReply, isOpenOf, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { countNewBrowser, exceedsNewBrowser } from './new-browsers.ts';
import type { ModelLine, ModelPlan, ModelRule } from './things.ts';

const WHOLE = 10_000n;

function changeRules(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const isOwn = isOpenOf(by);
  const wallet = pickMostly(company, oracle.accounts.values(), isOwn);
  if (wallet === null) return null;
  const plan = oracle.plans.get(wallet.id);
  const rules = Array.from({ length: random.int(0, 4) }, () => aRule(company, by.id, wallet.id));
  const isStale = random.chance(0.05);
  const isOfNewBrowser = random.chance(0.15);
  const kept = new Set(plan?.rules.map(({ to }) => to.id));
  const targets = rules.flatMap(({ to }) => (kept.has(to.id) ? [] : [to]));
  const sum = rules.reduce((all, { kind, value }) => all + (kind === 'percent' ? value : 0n), 0n);
  const version = (plan?.version ?? 0) + (isStale ? 1 : 0);
  return attempt<RouteReply<'changeAutomaticTransfers'>>({
    by,
    method: 'PUT',
    path: `/api/automatic-transfers/${wallet.id}`,
    ...(isOfNewBrowser && { cookie: by.newCookie }),
    confirms: true,
    body: { version, rules: rules.map(written) },
    refusals: [
      !isOwn(wallet) && 'wallet_not_found',
      isStale && 'automatic_transfers_changed',
      sum > WHOLE && 'automatic_percent_sum',
      rules.some(({ to }) => to.id === wallet.id) && 'same_wallet',
      targets.some(({ kind, id }) => kind === 'wallet' && !isOwn(oracle.account(id))) &&
        'wallet_not_found',
      targets.some(({ kind, id }) => kind === 'bank' && !isUsableBank(company, by.id, id)) &&
        'bank_account_not_verified',
    ],
    done({ version: said }) {
      oracle.plans.set(wallet.id, {
        ownerId: by.id,
        version: said,
        rules,
        isPaused: plan?.isPaused ?? false,
        skipsNext: plan?.skipsNext ?? false,
        isOfNewBrowser,
      });
    },
  });
}

function isUsableBank({ oracle }: Company, ownerId: string, id: string): boolean {
  const bank = oracle.banks.get(id);
  return bank?.ownerId === ownerId && bank.status === 'verified';
}

function aRule(company: Company, ownerId: string, walletId: string): ModelRule {
  const { oracle, random } = company;
  const isOwn = (one: { ownerId: string; id: string }) =>
    one.ownerId === ownerId && one.id !== walletId;
  const bank = pickMostly(company, oracle.banks.values(), isOwn);
  const wallet = pickMostly(company, oracle.accounts.values(), isOwn);
  const isToBank = bank !== null && (wallet === null || random.chance(0.4));
  const kind = random.pick(['fixed', 'percent', 'above']);
  return {
    kind,
    value: kind === 'percent' ? BigInt(random.int(1, 5_000)) : anAmount(company, 50_000),
    to: isToBank ? { kind: 'bank', id: bank.id } : { kind: 'wallet', id: wallet?.id ?? walletId },
  };
}

function written({ kind, value, to }: ModelRule) {
  return kind === 'percent'
    ? { kind, percentHundredths: Number(value), to }
    : { kind, amount: usd(value), to };
}

/** Runs the rules after each line of a payroll on paper, as docs/rules.md says. */
export async function noteRuns(company: Company, lines: readonly ModelLine[]): Promise<void> {
  const inTurn = lines.toSorted((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1));
  for (const line of inTurn) {
    const plan = company.oracle.plans.get(line.walletId);
    if (plan === undefined || plan.rules.length === 0 || plan.isPaused) continue;
    if (plan.skipsNext) plan.skipsNext = false;
    else await noteRun(company, line, plan);
  }
}

async function noteRun(company: Company, line: ModelLine, plan: ModelPlan): Promise<void> {
  const { oracle } = company;
  const at = company.now();
  const carried = line.instalments.reduce((sum, { minor }) => sum + minor, 0n);
  const paid = line.minor - line.reversed - carried;
  let left = oracle.available(line.walletId);
  for (const [index, rule] of plan.rules.entries()) {
    const wanted = wantedBy(plan.rules, index, { paid, left });
    const allotted = wanted < left ? wanted : left;
    const minor = left <= 0n || isLeftOut(company, plan, { rule, allotted }) ? 0n : allotted;
    left -= minor;
    if (minor === 0n) continue;
    if (rule.to.kind === 'wallet') {
      oracle.post(line.walletId, 'move', -minor, at);
      oracle.post(rule.to.id, 'move', minor, at);
      oracle.moves.push({
        lineId: line.id ?? '',
        ownerId: plan.ownerId,
        fromId: line.walletId,
        toId: rule.to.id,
        minor,
        isTakenBack: false,
      });
      continue;
    }
    const id = await newWithdrawalOf(company, line, minor);
    if (plan.isOfNewBrowser) countNewBrowser(company, oracle.person(plan.ownerId), minor);
    oracle.withdrawals.set(id, {
      id,
      ownerId: plan.ownerId,
      walletId: line.walletId,
      bankId: rule.to.id,
      minor,
      fileId: null,
      status: approvesAlone(company, plan.ownerId, minor) ? 'approved' : 'pending',
      doneBy: new Map(),
      requestedAt: at,
    });
    oracle.hold(line.walletId, minor);
  }
}

/** Amount that a rule wants, whatever there is: percentages are rounded down, and the last one gets the cents. */
function wantedBy(
  rules: readonly ModelRule[],
  index: number,
  { paid, left }: { paid: bigint; left: bigint },
): bigint {
  const rule = rules[index];
  if (rule === undefined) return 0n;
  if (rule.kind === 'fixed') return rule.value;
  if (rule.kind === 'above') return left > rule.value ? left - rule.value : 0n;
  const base = paid > 0n ? paid : 0n;
  const percents = rules.filter(({ kind }) => kind === 'percent');
  const own = (base * rule.value) / WHOLE;
  if (percents.at(-1) !== rule) return own;
  const sum = percents.reduce((all, { value }) => all + value, 0n);
  const floors = percents.reduce((all, { value }) => all + (base * value) / WHOLE, 0n);
  return own + (base * sum) / WHOLE - floors;
}

/** True if a withdrawal of a rule is approved without a click, which counts as what one administrator did alone. */
function approvesAlone({ oracle }: Company, ownerId: string, minor: bigint): boolean {
  const { automaticPayoutBelow: below } = oracle.rules;
  const duties = ['payout', 'bankAccount'] as const;
  const waits = duties.some((duty) => oracle.takesTwo(duty, minor, ownerId));
  if (below === null || minor >= below || waits) return false;
  for (const duty of duties) oracle.countAlone(duty, minor, ownerId);
  return true;
}

function isLeftOut(
  company: Company,
  { ownerId, isOfNewBrowser }: ModelPlan,
  { rule: { to }, allotted }: { rule: ModelRule; allotted: bigint },
): boolean {
  const { oracle, now } = company;
  if (oracle.isStopped) return true;
  if (to.kind === 'wallet') return oracle.account(to.id).isClosed;
  const owner = oracle.person(ownerId);
  const isHeld = oracle.lacksIdentity(owner) || owner.isFrozen;
  const isCooling = oracle.coolsOff(oracle.bank(to.id).submittedAt, now());
  const isTooMuch = isOfNewBrowser && exceedsNewBrowser(company, owner, allotted);
  return isHeld || isCooling || isTooMuch || !isUsableBank(company, ownerId, to.id);
}

/** The id of a withdrawal that a rule made; the oracle says that there is one of that amount. */
async function newWithdrawalOf(
  { app, oracle }: Company,
  line: ModelLine,
  minor: bigint,
): Promise<string> {
  const rows = await app.db
    .selectFrom('withdrawal')
    .select(['id', 'amountMinor'])
    .where('payrollLineId', '=', line.id)
    .orderBy('id')
    .execute();
  const made = rows.find(
    ({ id, amountMinor }) => amountMinor === minor && !oracle.withdrawals.has(id),
  );
  if (made === undefined) throw new Error(`no automatic withdrawal of ${minor} after ${line.id}`);
  return made.id;
}

/** Pauses the rules of a wallet, starts them again, or leaves out their next run. */
function steerRules(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anEmployee(company);
  const hasRules = (id: string) => (oracle.plans.get(id)?.rules.length ?? 0) > 0;
  const wallet = pickMostly(
    company,
    oracle.accounts.values(),
    (one) => isOpenOf(by)(one) && hasRules(one.id),
  );
  if (wallet === null) return null;
  const act = random.pick(['pause', 'resume', 'resume', 'skip']);
  const isSkipped = random.chance(0.7);
  const isOpen = isOpenOf(by)(wallet);
  const plan = oracle.plans.get(wallet.id);
  return attempt({
    by,
    path: `/api/automatic-transfers/${wallet.id}/${act}`,
    isIdle: act === 'skip' ? plan?.skipsNext === isSkipped : plan?.isPaused === (act === 'pause'),
    confirms: act === 'resume',
    ...(act === 'skip' && { body: { isSkipped } }),
    refusals: [
      !isOpen && 'wallet_not_found',
      isOpen && !hasRules(wallet.id) && 'automatic_transfers_none',
    ],
    done() {
      if (plan === undefined) throw new Error(`no rules of ${wallet.id}`);
      if (act === 'skip') plan.skipsNext = isSkipped;
      else plan.isPaused = act === 'pause';
    },
  });
}

/** Moves a transfer between two wallets of an employee back, and compares those of its line. */
async function takeBack(company: Company): Promise<Attempt | null> {
  const { oracle } = company;
  const move = pickMostly(company, oracle.moves, ({ isTakenBack }) => !isTakenBack);
  if (move === null) return null;
  const by = anAdmin(company);
  const { lineId, ownerId, fromId, toId, minor } = move;
  const path = `/api/admin/payroll/lines/${lineId}/transfers`;
  const read = await ask<RouteReply<'adminGetLineTransfers'>>(company, by, 'GET', path);
  const { transfers } = expectReply(read, 'transfers of a line');
  const shown = transfers
    .filter(({ withdrawal }) => withdrawal === null)
    .map(({ to, amount, isTakenBack }) => `${to.id} ${amount.minor} ${isTakenBack}`);
  const known = oracle.moves
    .filter((one) => one.lineId === lineId)
    .map((one) => `${one.toId} ${one.minor} ${one.isTakenBack}`);
  if (shown.toSorted().join() !== known.toSorted().join()) {
    throw new Error(`transfers after ${lineId}: ${shown.join()}; the oracle ${known.join()}`);
  }
  const same = transfers.find(
    ({ to, amount, isTakenBack }) =>
      to.id === toId && amount.minor === String(minor) && isTakenBack === move.isTakenBack,
  );
  return attempt({
    by,
    path: `/api/admin/automatic-transfers/${same?.id}/take-back`,
    confirms: true,
    refusals: [
      by.id === ownerId && 'own_request',
      oracle.isStopped && 'payments_stopped',
      move.isTakenBack && 'automatic_transfer_not_movable',
      (oracle.account(toId).isClosed || oracle.account(fromId).isClosed) && 'wallet_not_found',
      minor > oracle.available(toId) && 'insufficient_funds',
    ],
    done() {
      move.isTakenBack = true;
      oracle.post(toId, 'move', -minor, company.now());
      oracle.post(fromId, 'move', minor, company.now());
    },
  });
}

export const transferMoves: readonly Move[] = [
  { weight: 3, make: changeRules },
  { weight: 2, make: steerRules },
  { weight: 2, make: takeBack },
];
