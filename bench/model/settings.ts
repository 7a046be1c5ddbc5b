import type { RouteReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import type { Random } from '#scripts/demo/random.ts';
import { anAdmin, ask, attempt, expectReply } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { expectSame } from './compare-kit.ts';
import { areContradictory, takesTwoToChange } from './rules.ts';
import type { ModelRules, RuleName, RuleValue } from './rules.ts';

type Reply = RouteReply<'adminUpdateSettings'>;
const PATH = '/api/admin/settings';

/** Values of each rule, of which one is chosen. The usual ones are named more often. */
const VALUES: { readonly [Name in RuleName]: readonly ModelRules[Name][] } = {
  timeZone: ['est', 'pst', 'london', 'berlin', 'helsinki'],
  requireApprovedIdentity: [true, true, false],
  stopPayoutsWhenUnsound: [true, true, false],
  payoutCoolingHours: [0, 0, 24, 48],
  newBrowserLimit: [100_000n, 100_000n, 20_000n],
  automaticPayoutBelow: [null, 30_000n, 100_000n],
  payrollCancelSeconds: [0, 30, 60, 120],
  payrollLineLimit: [5_000_000n, 5_000_000n, 250_000n],
  payrollBatchLimit: [5_000_000_000n, 5_000_000_000n, 600_000n],
  separatePayroll: [null, 2_000_000n, 500_000n],
  separateDeposit: [null, 300_000n, 100_000n],
  separateBankAccount: [null, 120_000n, 50_000n],
  separatePayout: [null, 200_000n, 80_000n],
  separateReturn: [null, 150_000n, 60_000n],
  separateUsualPay: [null, 250_000n, 100_000n],
  payoutFormat: ['nacha', 'nacha', 'nacha', 'pain001_09', 'pain001_03', 'none'],
  bankAccountProof: ['none', 'prenote', 'micro_deposits', 'micro_deposits'],
};
const NAMES = Object.keys(VALUES) as [RuleName];
/** Rules of payout files, which have to go together. */
const OF_FILES: readonly RuleName[] = ['payoutFormat', 'bankAccountProof'];

/** A few rules with other values by chance. Two that contradict each other are mostly changed together. */
function someRules({ random, oracle }: Company): Partial<ModelRules> {
  const chosen = new Map<RuleName, RuleValue>();
  while (chosen.size === 0 || random.chance(0.3)) choose(random, random.pick(NAMES), chosen);
  const changed: ModelRules = { ...oracle.rules, ...Object.fromEntries(chosen) };
  if (areContradictory(changed) && random.chance(0.8)) chosen.set('payoutFormat', 'nacha');
  return Object.fromEntries(chosen) as Partial<ModelRules>;
}

function choose(random: Random, name: RuleName, chosen: Map<RuleName, RuleValue>): void {
  chosen.set(name, random.pick(VALUES[name] as unknown as [RuleValue]));
}

function written(rules: Partial<ModelRules>) {
  return Object.fromEntries(
    Object.entries(rules).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? usd(value) : value,
    ]),
  );
}

/** Rules that a reply shows, without the other settings of the company. */
function shownRules(values: Reply['values']): Partial<ModelRules> {
  return Object.fromEntries(
    NAMES.map((name) => {
      const value = values[name];
      const isAmount = typeof value === 'object' && value !== null && 'minor' in value;
      return [name, isAmount ? BigInt(value.minor) : value];
    }),
  ) as Partial<ModelRules>;
}

async function change(company: Company): Promise<Attempt> {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const { version } = expectReply(await ask<Reply>(company, by, 'GET', PATH), 'settings');
  const wanted = someRules(company);
  const before = { ...oracle.rules };
  const after: ModelRules = { ...before, ...wanted };
  const names = NAMES.filter((name) => before[name] !== after[name]);
  const asOf = random.chance(0.15) ? version - 1 : version;
  const isStale = names.some((name) => (oracle.changedIn.get(name) ?? -1) > asOf);
  const looser = names.filter((name) => takesTwoToChange(name, before, after));
  const others = names.filter((name) => !looser.includes(name));
  // The half that does not wait must not contradict what stays.
  const isSplit = areContradictory({ ...before, ...pick(after, others) });
  const proposed = names.filter(
    (name) => looser.includes(name) || (isSplit && OF_FILES.includes(name)),
  );
  const applied = names.filter((name) => !proposed.includes(name));
  const isWrong = areContradictory(after) && names.length > 0;
  return attempt<Reply>({
    by,
    method: 'PUT',
    path: PATH,
    confirms: true,
    isIdle: names.length === 0,
    body: { version: asOf, settings: written(wanted) },
    refusals: [
      isStale && 'settings_changed',
      isWrong && 'invalid_request',
      applied.includes('timeZone') && oracle.closed.length > 0 && 'time_zone_of_closed_months',
    ],
    done(reply) {
      expectSame('proposed settings', reply.proposed.toSorted(), proposed.toSorted());
      apply(company, pick(after, applied), reply.version);
      if (proposed.length > 0) {
        const id = reply.proposal?.id ?? '';
        oracle.proposal = {
          id,
          by: by.id,
          rules: pick(after, proposed),
          seen: pick(before, proposed),
        };
      }
      compareRules(company, reply);
    },
  });
}

function pick(rules: ModelRules, names: readonly RuleName[]): Partial<ModelRules> {
  return Object.fromEntries(names.map((name) => [name, rules[name]])) as Partial<ModelRules>;
}

function apply({ oracle }: Company, rules: Partial<ModelRules>, version: number): void {
  // The rule about unsound books is written after the others.
  const isLast = rules.stopPayoutsWhenUnsound !== undefined;
  for (const name of Object.keys(rules) as RuleName[]) {
    const isOther = isLast && name !== 'stopPayoutsWhenUnsound';
    oracle.changedIn.set(name, version - (isOther ? 1 : 0));
  }
  // Payouts go on when the rule that stops them changes, since the books of a run are sound.
  if (rules.stopPayoutsWhenUnsound !== undefined) oracle.isStopped = false;
  Object.assign(oracle.rules, rules);
}

/** Compares the settings, and the change that waits, as a screen shows them. */
export function compareRules({ oracle }: Company, { values, proposal }: Omit<Reply, 'proposed'>) {
  expectSame('settings', shownRules(values), oracle.rules);
  expectSame(
    'the proposed change of settings',
    proposal === null ? null : { id: proposal.id, settings: proposal.settings },
    oracle.proposal === null
      ? null
      : { id: oracle.proposal.id, settings: written(oracle.proposal.rules) },
  );
}

/** Another administrator accepts what loosens the rules, or somebody discards it. */
function decide(company: Company): Attempt | null {
  const { oracle, random } = company;
  const { proposal } = oracle;
  if (proposal === null) return null;
  const by = anAdmin(company);
  const isAccepted = random.chance(0.75);
  const { rules, seen } = proposal;
  const isMoved = (Object.keys(seen) as RuleName[]).some(
    (name) => oracle.rules[name] !== seen[name],
  );
  const isWrong = areContradictory({ ...oracle.rules, ...rules });
  return attempt<Omit<Reply, 'proposed'>>({
    by,
    path: `${PATH}/proposals/${proposal.id}/${isAccepted ? 'accept' : 'discard'}`,
    confirms: isAccepted,
    refusals: [
      isAccepted && oracle.isAlone(by, [proposal.by]) && 'second_person_needed',
      isAccepted && (isMoved || isWrong) && 'settings_changed',
    ],
    done(reply) {
      oracle.proposal = null;
      if (isAccepted) apply(company, rules, reply.version);
      compareRules(company, reply);
    },
  });
}

/** A verification of the books finds a problem, and another one that all of it is sound. */
async function stopPayouts({ app, oracle, random, now }: Company): Promise<null> {
  const isStopped = !oracle.isStopped && random.chance(0.15);
  if (isStopped === oracle.isStopped || !oracle.rules.stopPayoutsWhenUnsound) return null;
  const services = { ...app.services, clock: { now } };
  const payoutsStoppedAt = isStopped ? now() : null;
  await withTx(app.db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, { payoutsStoppedAt }),
  );
  oracle.isStopped = isStopped;
  return null;
}

export const settingsMoves: readonly Move[] = [
  { weight: 5, make: change },
  { weight: 4, make: decide },
  { weight: 3, make: stopPayouts },
];
