import type { RouteReply } from '#contract/api.ts';
import { bankingToday, isBankingDay } from '#contract/banking-days.ts';
import { anAdmin, attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { ModelFile } from './bank-things.ts';
import { byId } from './compare-kit.ts';
import type { Company } from './company.ts';
import { billMayLeave, isReady, isReadyBill, mayLeave, needsProof, totalOf } from './may-leave.ts';
import type { ModelBank, ModelBill, ModelPerson, ModelWithdrawal } from './things.ts';

const PATH = '/api/admin/payouts';
/** Most of a micro-deposit, in minor units. */
const MOST_DEPOSIT = 99n;

function makeFile(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const chance = () => random.chance(0.5);
  const isOdd = random.chance(0.1);
  const isSameDay = random.chance(0.2);
  const withdrawals = [...oracle.withdrawals.values()]
    .filter((one) => (isOdd || isReady(company, by, one)) && chance())
    .slice(-4);
  const bills = [...oracle.bills.values()]
    .filter((one) => (isOdd || isReadyBill(company, by, one)) && chance())
    .slice(-4);
  const banks = [...oracle.banks.values()]
    .filter(({ status }) => status !== 'removed')
    .filter((one) => (isOdd && random.chance(0.1)) || (needsProof(company, one) && chance()))
    .slice(-3);
  if (withdrawals.length + bills.length + banks.length === 0) return null;
  const isWhole =
    withdrawals.every((one) => isReady(company, by, one)) &&
    bills.every((one) => isReadyBill(company, by, one)) &&
    banks.every((one) => needsProof(company, one));
  return attempt<RouteReply<'adminMakePayoutFile'>>({
    by,
    path: PATH,
    confirms: true,
    body: {
      withdrawalIds: withdrawals.map(({ id }) => id),
      billIds: bills.map(({ id }) => id),
      bankAccountIds: banks.map(({ id }) => id),
      isSameDay,
    },
    refusals: [
      oracle.rules.payoutFormat === 'none' && 'payouts_by_hand',
      isSameDay && !takesSameDay(company) && 'same_day_passed',
      !isWhole && 'payout_item_not_ready',
    ],
    async done({ id, number, format, messageId, itemCount, total, effectiveOn, sameDayUntil }) {
      for (const item of [...withdrawals, ...bills]) item.fileId = id;
      const arrivesOn = effectiveOn.toSorted()[0] ?? '';
      const file: ModelFile = {
        id,
        number,
        format,
        messageId,
        madeBy: by.id,
        status: 'prepared',
        withdrawals,
        bills,
        proofs: [],
        arrivesOn,
        sameDayUntil: sameDayUntil === null ? null : new Date(sameDayUntil),
        sentAt: null,
      };
      oracle.files.set(id, file);
      await noteItems(company, file, banks);
      const entries = entriesOf(file);
      const sum = totalOf(file);
      if (itemCount !== entries || total.minor !== String(sum)) {
        throw new Error(
          `file ${number} pays ${itemCount}, ${total.minor}; the oracle ${entries}, ${sum}`,
        );
      }
    },
  });
}

/** True while the bank takes files whose payments to people arrive today: until 1:45 PM in New York. */
function takesSameDay({ now }: Company): boolean {
  const time = now().toLocaleTimeString('en-GB', { timeZone: 'America/New_York' });
  return isBankingDay(bankingToday(now(), 'USD'), 'USD') && time < '13:45';
}

/** True if the bank no longer takes a file for its first day. */
function isTooLate({ now }: Company, { sameDayUntil, arrivesOn }: ModelFile): boolean {
  if (sameDayUntil !== null) return now() >= sameDayUntil;
  return arrivesOn <= bankingToday(now(), 'USD');
}

/** Reads trace numbers and days, and the amounts of micro-deposits, which the server draws. */
async function noteItems(company: Company, file: ModelFile, banks: ModelBank[]): Promise<void> {
  const { app, oracle } = company;
  const rows = await app.db
    .selectFrom('payoutFileItem as item')
    .leftJoin('withdrawal', 'withdrawal.id', 'item.withdrawalId')
    .leftJoin('bill', 'bill.id', 'item.billId')
    .select(['item.id', 'item.traceNumber', 'item.amountMinor', 'item.effectiveOn'])
    .select(['item.batchNumber', 'item.withdrawalId', 'item.billId', 'item.bankAccountId'])
    .select(['withdrawal.reference', 'bill.reference as billReference'])
    .where('item.fileId', '=', file.id)
    .orderBy('item.traceNumber')
    .execute();
  for (const bank of banks) {
    const own = rows.filter(({ bankAccountId }) => bankAccountId === bank.id);
    const kind = oracle.rules.bankAccountProof;
    const minors = own.map(({ amountMinor }) => amountMinor);
    const areRight =
      kind === 'prenote'
        ? String(minors) === '0'
        : minors.length === 2 &&
          minors[0] !== minors[1] &&
          minors.every((minor) => minor > 0n && minor <= MOST_DEPOSIT);
    if (kind === 'none' || !areRight) throw new Error(`${kind} of ${bank.id}: ${String(minors)}`);
    file.proofs.push({
      kind,
      bankId: bank.id,
      ownerId: bank.ownerId,
      asOf: bank.submittedAt,
      fileId: file.id,
      effectiveOn: String(own[0]?.effectiveOn),
      items: own.map(({ id, traceNumber, amountMinor }) => {
        return { id, trace: traceNumber, minor: amountMinor, isLive: true };
      }),
      tries: 0,
      isProved: false,
    });
  }
  for (const request of [...file.withdrawals, ...file.bills]) {
    const row = rows.find((one) => (one.withdrawalId ?? one.billId) === request.id);
    if (row === undefined) throw new Error(`file ${file.number} does not pay ${request.id}`);
    oracle.payouts.push({
      fileId: file.id,
      itemId: row.id,
      trace: row.traceNumber,
      batchNumber: row.batchNumber,
      reference: row.reference ?? row.billReference ?? '',
      effectiveOn: row.effectiveOn,
      request,
      isBill: row.billId !== null,
    });
  }
}

function entriesOf({ withdrawals, bills, proofs }: ModelFile): number {
  return withdrawals.length + bills.length + proofs.flatMap(({ items }) => items).length;
}

const ACTS = {
  download: { from: ['prepared'], to: 'downloaded' },
  'download-again': { from: ['downloaded'], to: 'downloaded' },
  send: { from: ['downloaded'], to: 'sent' },
  settle: { from: ['sent'], to: 'settled' },
  cancel: { from: ['prepared', 'downloaded'], to: 'cancelled' },
} as const;

function actOnFile(company: Company): Attempt | null {
  const { oracle, random } = company;
  const act = random.pick([
    ...(['download', 'download', 'download', 'send', 'send', 'send'] as const),
    ...(['settle', 'settle', 'settle', 'cancel', 'download-again'] as const),
  ]);
  const from: readonly string[] = ACTS[act].from;
  const file = pickMostly(company, oracle.files.values(), ({ status }) => from.includes(status));
  if (file === null) return null;
  const by = anAdmin(company);
  const items = [...file.withdrawals, ...file.bills];
  const total = totalOf(file);
  const isLegal = from.includes(file.status);
  const isDownload = act === 'download' || act === 'download-again';
  const isAlone = act === 'download' && oracle.isAlone(by, [file.madeBy]);
  const isOwn = items.some((one) => one.ownerId === by.id && isIn(file, one));
  return attempt({
    by,
    path: `${PATH}/${file.id}/${act}`,
    confirms: true,
    ...(act === 'download-again' && { body: { reason: 'The copy was lost on the way' } }),
    refusals: [
      !isLegal && 'payout_file_wrong_status',
      isAlone && oracle.takesTwo('payout', total) && 'second_person_needed',
      act === 'settle' &&
        total > 0n &&
        oracle.statement.lines.length > 0 &&
        'payout_settled_by_line',
      isDownload && isTooLate(company, file) && 'payout_check_failed',
      isDownload && !mayStillLeave(company, file) && 'payout_item_not_ready',
      (act === 'send' || act === 'settle') && isOwn && 'own_request',
    ],
    done() {
      if (isAlone) oracle.countAlone('payout', total);
      file.status = ACTS[act].to;
      if (act === 'send') sendItems(company, file, by);
      if (act === 'settle') settleItems(company, file, by);
      if (act === 'cancel') cancelItems(file);
    },
  });
}

/** True while the item of a request is live in a file. */
function isIn({ id }: ModelFile, { fileId, status }: ModelWithdrawal | ModelBill): boolean {
  return fileId === id && status !== 'returned';
}

function mayStillLeave(company: Company, { withdrawals, bills, proofs }: ModelFile): boolean {
  const { oracle } = company;
  return (
    withdrawals.every((one) => mayLeave(company, one)) &&
    bills.every((one) => billMayLeave(company, one)) &&
    proofs.every(({ bankId, asOf }) => {
      const { status, submittedAt } = oracle.bank(bankId);
      return status === 'pending' && submittedAt.getTime() === asOf.getTime();
    })
  );
}

/** The money leaves the wallets when the file is marked as sent. */
function sendItems(company: Company, file: ModelFile, by: ModelPerson): void {
  const { oracle, now } = company;
  const { withdrawals, bills } = file;
  file.sentAt = now();
  // They are posted in the order of their ids, which may have been made at the same time.
  for (const one of byId(withdrawals)) {
    one.status = 'processing';
    oracle.release(one.walletId, one.minor);
    oracle.post(one.walletId, 'withdrawal', -one.minor, now());
  }
  for (const one of byId(bills)) {
    one.status = 'sent';
    one.doneBy.set('send', by.id);
    oracle.release(one.walletId, one.minor);
    oracle.post(one.walletId, 'bill', -one.minor, now());
  }
  notePosting(company, file);
}

/** Notes that micro-deposits were posted, which are money of the company. */
function notePosting({ oracle, now }: Company, { proofs }: ModelFile): void {
  if (proofs.some(({ kind }) => kind === 'micro_deposits')) oracle.ownPostings.push(now());
}

/**
 * Whoever settles a file has paid out what is in it and did not come back; nobody has where a line of a statement settles it.
 */
export function settleItems(company: Company, file: ModelFile, by?: ModelPerson): void {
  for (const one of [...file.withdrawals, ...file.bills]) {
    if (one.fileId !== file.id) continue;
    if (one.status !== 'processing' && one.status !== 'sent') continue;
    one.status = one.status === 'processing' ? 'completed' : 'paid';
    one.leftAt = company.now();
    if (by !== undefined) one.doneBy.set('complete', by.id);
  }
  notePosting(company, file);
}

function cancelItems({ withdrawals, bills, proofs }: ModelFile): void {
  for (const item of [...withdrawals, ...bills]) item.fileId = null;
  for (const item of proofs.flatMap(({ items }) => items)) item.isLive = false;
}

export const payoutMoves: readonly Move[] = [
  { weight: 20, make: makeFile },
  { weight: 40, make: actOnFile },
];
