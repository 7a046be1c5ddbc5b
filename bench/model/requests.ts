import type { RouteReply } from '#contract/api.ts';
import {
  anAdmin,
  anAmount,
  anEmployee,
  attempt,
  isOpenOf,
  pickMostly,
  pickOne,
} from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { noteReturnedPayout, secondPerson } from './came-back.ts';
import { isChangeOpen, isDisputed } from './may-leave.ts';
import type { ModelBank, ModelPerson } from './things.ts';

const REASON = { reason: 'A reason that is long enough' };
/** Limits of an ACH deposit, in minor units (docs/rules.md, "Methods"). */
const ACH = { least: 100n, most: 1_000_000n, daily: 2_500_000n };

function requestDeposit(company: Company): Attempt | null {
  const { oracle } = company;
  const by = anEmployee(company);
  const wallet = pickMostly(company, oracle.accounts.values(), isOpenOf(by));
  if (wallet === null) return null;
  const minor = anAmount(company, 200_000);
  const day = company.today();
  const asked = [...oracle.deposits.values()]
    .filter((one) => one.ownerId === by.id && one.day === day)
    .filter(({ status }) => status !== 'rejected' && status !== 'cancelled')
    .reduce((sum, one) => sum + one.minor, 0n);
  return attempt<RouteReply<'requestDeposit'>>({
    by,
    path: '/api/deposits',
    body: { walletId: wallet.id, method: 'ach', amount: usd(minor) },
    refusals: [
      !isOpenOf(by)(wallet) && 'wallet_not_found',
      (minor < ACH.least || minor > ACH.most) && 'deposit_out_of_range',
      asked + minor > ACH.daily && 'deposit_daily_limit',
    ],
    done({ id }) {
      oracle.deposits.set(id, {
        id,
        ownerId: by.id,
        walletId: wallet.id,
        minor,
        day,
        status: 'pending',
        doneBy: new Map(),
        requestedAt: company.now(),
      });
    },
  });
}

function cancelDeposit(company: Company): Attempt | null {
  const { oracle } = company;
  const deposit = pickMostly(company, oracle.deposits.values(), (one) => one.status === 'pending');
  if (deposit === null) return null;
  const by = ownerMostly(company, deposit.ownerId);
  return attempt({
    by,
    path: `/api/deposits/${deposit.id}/cancel`,
    refusals: [
      by.id !== deposit.ownerId && 'deposit_not_found',
      deposit.status !== 'pending' && 'deposit_not_cancellable',
    ],
    done: () => {
      deposit.status = 'cancelled';
    },
  });
}

function decideOnDeposit(company: Company): Attempt | null {
  const { oracle, random } = company;
  const deposit = pickMostly(company, oracle.deposits.values(), (one) => one.status === 'pending');
  if (deposit === null) return null;
  const by = anAdmin(company);
  const act = random.pick(['approve', 'approve', 'confirm', 'reject']);
  const confirmer = deposit.doneBy.get('confirm');
  const isTwo = oracle.takesTwo('deposit', deposit.minor);
  const isPending = deposit.status === 'pending';
  const refusals = [
    by.id === deposit.ownerId && 'own_request',
    !isPending && 'deposit_already_decided',
    deposit.status === 'cancelled' && 'deposit_wrong_status',
    act === 'confirm' && (!isTwo || confirmer !== undefined) && 'deposit_confirmation_unneeded',
    act === 'approve' && isTwo && confirmer === undefined && 'deposit_unconfirmed',
    act === 'approve' && isTwo && oracle.isAlone(by, [confirmer]) && 'second_person_needed',
  ];
  return attempt({
    by,
    path: `/api/admin/deposits/${deposit.id}/${act}`,
    confirms: act !== 'reject',
    ...(act === 'reject' && { body: REASON }),
    refusals,
    done() {
      if (act === 'confirm') deposit.doneBy.set('confirm', by.id);
      if (act === 'reject') deposit.status = 'rejected';
      if (act !== 'approve') return;
      deposit.status = 'approved';
      if (confirmer === undefined || oracle.isAlone(by, [confirmer])) {
        oracle.countAlone('deposit', deposit.minor);
      }
      oracle.post(deposit.walletId, 'deposit', deposit.minor, company.now());
    },
  });
}

function requestWithdrawal(company: Company): Attempt | null {
  const { oracle, random } = company;
  const bank = pickMostly(company, oracle.banks.values(), (one) => {
    const owner = oracle.person(one.ownerId);
    const isHeld = owner.hasLeft || owner.isFrozen || oracle.lacksIdentity(owner);
    return isUsable(one, owner) && !isHeld && !isChangeOpen(company, one);
  });
  if (bank === null) return null;
  const by = ownerMostly(company, bank.ownerId);
  const wallet = pickMostly(
    company,
    oracle.accounts.values(),
    (one) => isOpenOf(by)(one) && oracle.available(one.id) > 0n,
  );
  if (wallet === null) return null;
  const [available, asked] = [oracle.available(wallet.id), anAmount(company)];
  const isMost = asked > available && available > 0n && random.chance(0.8);
  const minor = isMost ? available : asked;
  return attempt<RouteReply<'requestWithdrawal'>>({
    by,
    path: '/api/withdrawals',
    sends: minor,
    body: { walletId: wallet.id, bankAccountId: bank.id, amount: usd(minor) },
    refusals: [
      !isOpenOf(by)(wallet) && 'wallet_not_found',
      !isUsable(bank, by) && 'bank_account_not_verified',
      oracle.lacksIdentity(by) && 'identity_not_approved',
      by.isFrozen && 'own_payouts_frozen',
      minor > oracle.available(wallet.id) && 'insufficient_funds',
    ],
    done({ id }) {
      oracle.withdrawals.set(id, {
        id,
        ownerId: by.id,
        walletId: wallet.id,
        bankId: bank.id,
        minor,
        fileId: null,
        status: 'pending',
        doneBy: new Map(),
        requestedAt: company.now(),
      });
      oracle.hold(wallet.id, minor);
    },
  });
}

export function isUsable({ ownerId, status }: ModelBank, by: ModelPerson): boolean {
  return ownerId === by.id && status === 'verified';
}

function cancelWithdrawal(company: Company): Attempt | null {
  const { oracle } = company;
  const all = oracle.withdrawals.values();
  const withdrawal = pickMostly(company, all, (one) => one.status === 'pending');
  if (withdrawal === null) return null;
  const by = ownerMostly(company, withdrawal.ownerId);
  return attempt({
    by,
    path: `/api/withdrawals/${withdrawal.id}/cancel`,
    refusals: [
      by.id !== withdrawal.ownerId && 'withdrawal_not_found',
      withdrawal.status !== 'pending' && 'withdrawal_not_cancellable',
    ],
    done() {
      withdrawal.status = 'cancelled';
      oracle.release(withdrawal.walletId, withdrawal.minor);
    },
  });
}

const WITHDRAWAL_ACTS = {
  approve: { from: ['pending'], to: 'approved', step: 'approve' },
  reject: { from: ['pending'], to: 'rejected', step: 'reject' },
  start: { from: ['approved'], to: 'processing', step: 'start-processing' },
  complete: { from: ['processing'], to: 'completed', step: 'complete' },
  stop: { from: ['approved', 'processing'], to: 'rejected', step: 'stop' },
  return: { from: ['completed'], to: 'returned', step: 'return' },
} as const;

function decideOnWithdrawal(company: Company): Attempt | null {
  const { oracle, random } = company;
  // An account is updated as its bank asks once nothing is on its way to it.
  const held = [...oracle.withdrawals.values()].filter(({ status, fileId, bankId }) => {
    const isOpen = status === 'pending' || (status === 'approved' && fileId === null);
    return isOpen && isChangeOpen(company, oracle.bank(bankId));
  });
  const freed = random.chance(0.5) ? pickOne(company, held) : null;
  const usual = random.pick([
    ...(['approve', 'approve', 'approve', 'start', 'start'] as const),
    ...(['complete', 'complete', 'complete', 'reject', 'stop'] as const),
    ...(['return', 'return', 'return'] as const),
  ]);
  const freeing = freed?.status === 'pending' ? 'reject' : 'stop';
  const act = freed === null ? usual : freeing;
  const { from, to, step } = WITHDRAWAL_ACTS[act];
  const all = oracle.withdrawals.values();
  const isLegal = ({ status }: { status: string }) => (from as readonly string[]).includes(status);
  const withdrawal = freed ?? pickMostly(company, all, isLegal);
  if (withdrawal === null) return null;
  const by = anAdmin(company);
  const { minor, walletId, doneBy } = withdrawal;
  const bank = oracle.bank(withdrawal.bankId);
  const file = withdrawal.fileId === null ? undefined : oracle.files.get(withdrawal.fileId);
  const isInFile = file?.status === 'prepared' || file?.status === 'downloaded';
  const hasLeft = file?.status === 'sent' || file?.status === 'settled';
  const needsReason = act === 'reject' || act === 'stop' || act === 'return';
  const second = secondPerson(company, by, withdrawal, { act, acts: ['approve', 'complete'] });
  // The administrator who requests for a person who left, without an approved identity, does not approve it as well.
  const isOwnOfLeaver =
    act === 'approve' &&
    oracle.isAlone(by, [doneBy.get('request')]) &&
    oracle.lacksIdentity(oracle.person(withdrawal.ownerId));
  return attempt({
    by,
    path: `/api/admin/withdrawals/${withdrawal.id}/${step}`,
    ...(needsReason && { body: REASON }),
    confirms: act !== 'reject' && act !== 'stop',
    refusals: [
      by.id === withdrawal.ownerId && 'own_request',
      !(from as readonly string[]).includes(withdrawal.status) && 'withdrawal_wrong_status',
      act === 'stop' && hasLeft && 'withdrawal_wrong_status',
      act === 'complete' && hasLeft && 'payout_sent_in_file',
      (act === 'start' || act === 'stop') && isInFile && 'payout_in_file',
      (act === 'approve' || act === 'start') &&
        bank.status !== 'verified' &&
        'payout_account_returned',
      act === 'start' && isChangeOpen(company, bank) && 'payout_change_open',
      act === 'start' && oracle.coolsOff(bank.submittedAt, company.now()) && 'payout_cooling_off',
      (act === 'approve' || act === 'start') && oracle.isStopped && 'payouts_stopped',
      (act === 'approve' || act === 'start') &&
        isDisputed(company, withdrawal) &&
        'return_disputed',
      (act === 'approve' || act === 'start') &&
        oracle.person(withdrawal.ownerId).isFrozen &&
        'payouts_frozen',
      (second.isNeeded || isOwnOfLeaver) && 'second_person_needed',
    ],
    done() {
      second.count();
      withdrawal.status = to;
      doneBy.set(act, by.id);
      if (act === 'reject' || act === 'stop') oracle.release(walletId, minor);
      if (act === 'complete') {
        withdrawal.leftAt = company.now();
        oracle.release(walletId, minor);
        oracle.post(walletId, 'withdrawal', -minor, company.now());
      }
      if (act === 'return') noteReturnedPayout(company, withdrawal, by);
    },
  });
}

/** Mostly the owner of a thing, sometimes somebody else. */
export function ownerMostly(company: Company, ownerId: string): ModelPerson {
  const owner = company.oracle.person(ownerId);
  return !owner.hasLeft && company.random.chance(0.9) ? owner : anEmployee(company);
}

export const requestMoves: readonly Move[] = [
  { weight: 8, make: requestDeposit },
  { weight: 2, make: cancelDeposit },
  { weight: 9, make: decideOnDeposit },
  { weight: 30, make: requestWithdrawal },
  { weight: 2, make: cancelWithdrawal },
  { weight: 44, make: decideOnWithdrawal },
];
