import type { RouteReply } from '#contract/api.ts';
import { anAdmin, attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { Company } from './company.ts';
import { secondPerson } from './requests.ts';
import type { ModelBill, ModelFile, ModelPerson, ModelWithdrawal } from './oracle.ts';

const PATH = '/api/admin/payouts';

function makeFile(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const chance = () => random.chance(0.5);
  const isOdd = random.chance(0.1);
  const withdrawals = [...oracle.withdrawals.values()]
    .filter((one) => (isOdd || isReady(company, by, one)) && chance())
    .slice(-4);
  const bills = [...oracle.bills.values()]
    .filter((one) => (isOdd || isReadyBill(company, by, one)) && chance())
    .slice(-4);
  if (withdrawals.length + bills.length === 0) return null;
  const isWhole =
    withdrawals.every((one) => isReady(company, by, one)) &&
    bills.every((one) => isReadyBill(company, by, one));
  return attempt<RouteReply<'adminMakePayoutFile'>>({
    by,
    path: PATH,
    confirms: true,
    body: { withdrawalIds: withdrawals.map(({ id }) => id), billIds: bills.map(({ id }) => id) },
    refusals: [!isWhole && 'payout_item_not_ready'],
    done({ id, itemCount, total, effectiveOn }) {
      const items = [...withdrawals, ...bills];
      const sum = items.reduce((all, { minor }) => all + minor, 0n);
      if (itemCount !== items.length || total.minor !== String(sum)) {
        throw new Error(`file ${id} pays ${itemCount}, ${total.minor}; the oracle ${sum}`);
      }
      for (const item of items) item.fileId = id;
      const arrivesOn = effectiveOn.toSorted()[0] ?? '';
      oracle.files.set(id, {
        id,
        madeBy: by.id,
        status: 'prepared',
        withdrawals,
        bills,
        arrivesOn,
        sentAt: null,
      });
    },
  });
}

/** True if an administrator may send a withdrawal now. */
function isReady({ oracle }: Company, by: ModelPerson, one: ModelWithdrawal): boolean {
  const isVerified = oracle.banks.get(one.bankId)?.status === 'verified';
  const isOpen = one.status === 'approved' && one.fileId === null && one.ownerId !== by.id;
  return isOpen && isVerified && !oracle.person(one.ownerId).isFrozen;
}

function isReadyBill(company: Company, by: ModelPerson, one: ModelBill): boolean {
  const { oracle } = company;
  const second = secondPerson(company, by, one, { act: 'send', acts: ['send', 'complete'] });
  const isReturned = oracle.payees.get(one.payeeId)?.isReturned === true;
  const isOpen = one.status === 'due' && one.fileId === null && one.ownerId !== by.id;
  return isOpen && !isReturned && !oracle.person(one.ownerId).isFrozen && !second.isNeeded;
}

const ACTS = {
  download: { from: ['prepared'], to: 'downloaded' },
  send: { from: ['downloaded'], to: 'sent' },
  settle: { from: ['sent'], to: 'settled' },
  cancel: { from: ['prepared', 'downloaded'], to: 'cancelled' },
} as const;

function actOnFile(company: Company): Attempt | null {
  const { oracle, random } = company;
  const act = random.pick(['download', 'download', 'send', 'send', 'settle', 'settle', 'cancel']);
  const from: readonly string[] = ACTS[act].from;
  const file = pickMostly(company, oracle.files.values(), ({ status }) => from.includes(status));
  if (file === null) return null;
  const by = anAdmin(company);
  const items = [...file.withdrawals, ...file.bills];
  const total = items.reduce((sum, { minor }) => sum + minor, 0n);
  const isLegal = from.includes(file.status);
  const isAlone = act === 'download' && by.id === file.madeBy;
  const isOwn = items.some((one) => one.ownerId === by.id);
  return attempt({
    by,
    path: `${PATH}/${file.id}/${act}`,
    confirms: true,
    refusals: [
      !isLegal && 'payout_file_wrong_status',
      isAlone && oracle.takesTwo('payout', total) && 'second_person_needed',
      act === 'settle' && oracle.statement.lines.length > 0 && 'payout_settled_by_line',
      act === 'download' && file.arrivesOn <= company.today() && 'payout_check_failed',
      act === 'download' && !mayStillLeave(company, file) && 'payout_item_not_ready',
      (act === 'send' || act === 'settle') && isOwn && 'own_request',
    ],
    done() {
      if (isAlone) oracle.countAlone('payout', total);
      file.status = ACTS[act].to;
      if (act === 'send') sendItems(company, file, by);
      if (act === 'settle') settleItems(file, by);
      if (act === 'cancel') for (const item of items) item.fileId = null;
    },
  });
}

function mayStillLeave({ oracle }: Company, { withdrawals, bills }: ModelFile): boolean {
  return (
    [...withdrawals, ...bills].every(({ ownerId }) => !oracle.person(ownerId).isFrozen) &&
    withdrawals.every(({ bankId }) => oracle.banks.get(bankId)?.status === 'verified') &&
    bills.every(({ payeeId }) => oracle.payees.get(payeeId)?.isReturned === false)
  );
}

/** The money leaves the wallets when the file is marked as sent. */
function sendItems(company: Company, file: ModelFile, by: ModelPerson): void {
  const { oracle, now } = company;
  const { withdrawals, bills } = file;
  file.sentAt = now();
  for (const one of withdrawals) {
    one.status = 'processing';
    oracle.release(one.walletId, one.minor);
    oracle.post(one.walletId, 'withdrawal', -one.minor, now());
  }
  for (const one of bills) {
    one.status = 'sent';
    one.doneBy.set('send', by.id);
    oracle.release(one.walletId, one.minor);
    oracle.post(one.walletId, 'bill', -one.minor, now());
  }
}

/**
 * Whoever settles a file has paid out what is in it and did not come back; nobody has where a line of a statement settles it.
 */
export function settleItems({ withdrawals, bills }: ModelFile, by?: ModelPerson): void {
  for (const one of [...withdrawals, ...bills]) {
    if (one.status !== 'processing' && one.status !== 'sent') continue;
    one.status = one.status === 'processing' ? 'completed' : 'paid';
    if (by !== undefined) one.doneBy.set('complete', by.id);
  }
}

export const payoutMoves: readonly Move[] = [
  { weight: 4, make: makeFile },
  { weight: 7, make: actOnFile },
];
