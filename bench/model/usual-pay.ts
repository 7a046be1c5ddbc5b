import type { RouteReply } from '#contract/api.ts';
import { addDays } from '#contract/calendar.ts';
import type { WalletType } from '#contract/wallets.ts';
import { anAdmin, anEmployee, ask, attempt, expectReply, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import type { ModelUsualPay } from './things.ts';

const REASON = { reason: 'A reason that is long enough' };
/** Days in which what one administrator changed for a person adds up. */
const ALONE_MS = 30 * 86_400_000;

/** Usual pay of a person on a day: the change with the latest first day, and of those of one day the newest. */
export function usualPayOn(
  { oracle }: Pick<Company, 'oracle'>,
  { personId, walletType, day }: { personId: string; walletType: WalletType; day: string },
): bigint {
  const valid = [...oracle.usualPay.values()]
    .filter((one) => one.personId === personId && one.walletType === walletType)
    .filter(({ status, validFrom }) => status === 'confirmed' && validFrom <= day)
    .toSorted((one, other) => one.validFrom.localeCompare(other.validFrom));
  return valid.at(-1)?.minor ?? 0n;
}

async function change(company: Company): Promise<Attempt | null> {
  const { oracle, random, today, now } = company;
  const by = anAdmin(company);
  const person = anEmployee(company);
  const path = `/api/admin/employees/${person.id}/usual-pay`;
  const read = await ask<RouteReply<'adminGetUsualPay'>>(company, by, 'GET', path);
  const { paydays } = expectReply(read, 'usual pay');
  const days = random.chance(0.05) ? -1 : random.int(0, 40);
  const validFrom = paydays.length > 0 ? random.pick(paydays as [string]) : addDays(today(), days);
  const walletType = random.pick(['salary', 'salary', 'savings']);
  const former = usualPayOn(company, { personId: person.id, walletType, day: validFrom });
  const isSame = random.chance(0.05);
  const minor = isSame ? former : random.chance(0.1) ? 0n : BigInt(random.int(100, 300_000));
  const isStale = random.chance(0.05);
  const own = [...oracle.usualPay.values()].filter(({ personId }) => personId === person.id);
  const alone = own
    .filter(({ status, needsSecond, at }) => {
      const isRecent = at.getTime() > now().getTime() - ALONE_MS;
      return status === 'confirmed' && !needsSecond && isRecent;
    })
    .reduce((sum, one) => sum + distance(one.minor, one.former), 0n);
  const least = oracle.rules.separateUsualPay;
  const needsSecond = least !== null && distance(minor, former) + alone >= least;
  const isOpen = oracle.accountOf(person.id, walletType)?.isClosed === false;
  return attempt<RouteReply<'adminChangeUsualPay'>>({
    by,
    path,
    confirms: true,
    body: {
      validFrom,
      reason: 'A raise of the year',
      lines: [{ walletType, before: usd(isStale ? former + 1n : former), amount: usd(minor) }],
    },
    refusals: [
      by === person && 'own_request',
      own.some(({ status }) => status === 'waiting') && 'usual_pay_waiting',
      validFrom < today() && 'invalid_request',
      isStale && 'usual_pay_changed',
      !isStale && minor === former && 'usual_pay_same',
      minor !== former && minor > oracle.rules.payrollLineLimit && 'payroll_line_limit',
      minor > 0n && minor !== former && !isOpen && 'usual_pay_no_wallet',
    ],
    done({ changes }) {
      const made = changes.find(({ id }) => !oracle.usualPay.has(id));
      if (made === undefined) throw new Error(`no change of the usual pay of ${person.name}`);
      oracle.usualPay.set(made.id, {
        id: made.id,
        personId: person.id,
        walletType,
        former,
        minor,
        validFrom,
        needsSecond,
        status: needsSecond ? 'waiting' : 'confirmed',
        by: by.id,
        at: now(),
      });
    },
  });
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}

const ACTS = {
  confirm: 'confirmed',
  decline: 'declined',
  withdraw: 'withdrawn',
} as const satisfies Record<string, ModelUsualPay['status']>;

function decide(company: Company): Attempt | null {
  const { oracle, random, today } = company;
  const all = oracle.usualPay.values();
  const one = pickMostly(company, all, ({ status }) => status === 'waiting');
  if (one === null) return null;
  const act = random.pick(['confirm', 'confirm', 'decline', 'withdraw']);
  const isMaker = act === 'withdraw' && oracle.person(one.by).isAdmin && random.chance(0.7);
  const by = isMaker ? oracle.person(one.by) : anAdmin(company);
  const isWaiting = one.status === 'waiting';
  return attempt({
    by,
    path: `/api/admin/usual-pay/${one.id}/${act}`,
    confirms: act === 'confirm',
    ...(act === 'decline' && { body: REASON }),
    refusals: [
      by.id === one.personId && 'own_request',
      !isWaiting && 'usual_pay_wrong_status',
      act === 'confirm' && oracle.isAlone(by, [one.by]) && 'second_person_needed',
      act === 'confirm' && one.validFrom < today() && 'usual_pay_late',
      act === 'confirm' && oracle.person(one.personId).hasLeft && 'usual_pay_not_paid',
      act === 'withdraw' && by.id !== one.by && 'usual_pay_of_another',
    ],
    done: () => {
      one.status = ACTS[act];
    },
  });
}

export const usualPayMoves: readonly Move[] = [
  { weight: 4, make: change },
  { weight: 3, make: decide },
];
