import type { RouteReply } from '#contract/api.ts';
import { addBankingDays, nextBankingDay } from '#contract/banking-days.ts';
import { BANK_REVERSAL_REASONS } from '#contract/payouts.ts';
import { anAdmin, attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { ModelPayment, ModelReversal } from './bank-things.ts';
import type { Company } from './company.ts';
import { isOut } from './may-leave.ts';

const PATH = '/api/admin/payout-reversals';
/** Banking days after its settlement in which a debit is at the other bank (docs/rules.md, "Payout files"). */
const REVERSAL_DAYS = 5;

/** True while the company's bank can be asked to take a payment back. */
function isReversible(company: Company, payment: ModelPayment): boolean {
  const { oracle, now } = company;
  const { format, sentAt } = oracle.file(payment.fileId);
  const { request, effectiveOn } = payment;
  const bank = 'bankId' in request ? oracle.bank(request.bankId) : null;
  const isSame = bank === null || bank.submittedAt <= request.requestedAt;
  const last = addBankingDays(effectiveOn, REVERSAL_DAYS, 'USD');
  const isInTime = nextBankingDay(now(), 'USD') <= last;
  return format === 'nacha' && sentAt !== null && isOut(payment) && isSame && isInTime;
}

/** The reversal of a payment that the bank may still carry out. */
function liveReversal({ oracle }: Company, payment: ModelPayment): ModelReversal | undefined {
  return [...oracle.reversals.values()].find(
    (one) => one.payment === payment && one.status !== 'refused' && one.status !== 'cancelled',
  );
}

function ask(company: Company): Attempt | null {
  const { oracle, random, now } = company;
  const payment = pickMostly(
    company,
    oracle.payouts,
    (one) => isReversible(company, one) && liveReversal(company, one) === undefined,
  );
  if (payment === null) return null;
  const by = anAdmin(company);
  const reason = random.pick(BANK_REVERSAL_REASONS as unknown as [ModelReversal['reason']]);
  return attempt<RouteReply<'adminReversePayout'>>({
    by,
    path: PATH,
    confirms: true,
    body: { itemId: payment.itemId, reason },
    refusals: [
      by.id === payment.request.ownerId && 'own_request',
      liveReversal(company, payment) !== undefined && 'payout_reversal_asked',
      !isReversible(company, payment) && 'payout_not_reversible',
    ],
    done({ id, amount, reference, effectiveOn }) {
      const next = nextBankingDay(now(), 'USD');
      const day = next > payment.effectiveOn ? next : payment.effectiveOn;
      const known = [String(payment.request.minor), payment.reference, day].join();
      if ([amount.minor, reference, effectiveOn].join() !== known) {
        throw new Error(`a reversal of ${known} is ${amount.minor}, ${reference}, ${effectiveOn}`);
      }
      oracle.reversals.set(id, {
        id,
        payment,
        madeBy: by.id,
        reason,
        status: 'prepared',
        effectiveOn,
        differs: false,
      });
    },
  });
}

const ACTS = {
  download: { from: ['prepared'], to: 'downloaded' },
  send: { from: ['downloaded'], to: 'sent' },
  cancel: { from: ['prepared', 'downloaded'], to: 'cancelled' },
} as const;

/** Gives the file of a reversal out, marks it as sent, or cancels it. None of these moves money. */
function actOn(company: Company): Attempt | null {
  const { oracle, random, now } = company;
  const act = random.pick(['download', 'download', 'send', 'send', 'send', 'cancel']);
  const from: readonly string[] = ACTS[act].from;
  const all = oracle.reversals.values();
  const reversal = pickMostly(company, all, ({ status }) => from.includes(status));
  if (reversal === null) return null;
  const by = anAdmin(company);
  const { payment, effectiveOn, madeBy, differs } = reversal;
  const { minor } = payment.request;
  const isDownload = act === 'download';
  const isAlone = isDownload && oracle.isAlone(by, [madeBy]);
  return attempt({
    by,
    path: `${PATH}/${reversal.id}/${act}`,
    confirms: true,
    refusals: [
      !from.includes(reversal.status) && 'payout_reversal_wrong_status',
      isDownload && !isOut(payment) && 'payout_not_reversible',
      isDownload && nextBankingDay(now(), 'USD') > effectiveOn && 'payout_reversal_late',
      isAlone && oracle.takesTwo('payout', minor) && 'second_person_needed',
      isDownload && differs && 'payout_file_differs',
    ],
    done() {
      if (isAlone) oracle.countAlone('payout', minor);
      reversal.status = ACTS[act].to;
    },
  });
}

export const reversalMoves: readonly Move[] = [
  { weight: 24, make: ask },
  { weight: 40, make: actOn },
];
