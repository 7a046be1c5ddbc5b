import { camt054, pain002 } from '#test/iso-messages.ts';
import { bookAnswers, judged, refusedFile } from './answers.ts';
import type { Answer } from './answers.ts';
import { anAdmin, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { ModelFile, ModelPayment } from './bank-things.ts';
import type { Company } from './company.ts';
import { isOut } from './may-leave.ts';

/** Answers what becomes of a payment that the bank says came back. */
function answerOf(payment: ModelPayment, code: string, bankReference: string): Answer {
  const { minor } = payment.request;
  const key = [payment.trace, bankReference, code, minor].join(' ');
  const known = { kind: 'return', code, minor, key, payment, proof: null } as const;
  return isOut(payment)
    ? { ...known, status: 'booked', cause: null }
    : { ...known, status: 'repeated', cause: 'returned' };
}

/** A status report (pain.002) about a payout file in ISO 20022: all of it was rejected, or some payments. */
function report(company: Company): Promise<Attempt> | Attempt | null {
  const { oracle, random } = company;
  const files = [...oracle.files.values()].filter(({ messageId }) => messageId !== null);
  const file = pickMostly(company, files, ({ sentAt }) => sentAt !== null);
  if (file === null || file.messageId === null) return null;
  const payments = oracle.payouts
    .filter(({ fileId }) => fileId === file.id)
    .toSorted((one, other) => one.trace.localeCompare(other.trace));
  const number = oracle.returnFiles.length + 1;
  const numbered = (text: string) => text.replace('<MsgId>S-1', `<MsgId>S-${number}`);
  const by = anAdmin(company);
  if (random.chance(0.4) || file.sentAt === null) {
    const text = numbered(pain002({ messageId: file.messageId, status: 'RJCT', reason: 'FF01' }));
    // A message that was not marked as sent moved no money: its rejection is not booked.
    const code = 'return_file_unreadable';
    if (file.sentAt === null) return refusedFile(by, { fileName: 'report.xml', text, code });
    const answers = payments.map((payment) => answerOf(payment, 'FF01', ''));
    return bookAnswers(company, by, {
      fileName: 'report.xml',
      text,
      answers: judged(company, answers),
    });
  }
  const payment = pickMostly(company, payments, isOut);
  if (payment === null) return null;
  const code = random.pick(['AC04', 'AC04', 'AM04']);
  const isOther = random.chance(0.1);
  const answer = answerOf(payment, code, '');
  const text = numbered(partOf(file, payment, { code, isOther }));
  const { minor } = payment.request;
  const other = {
    ...answer,
    key: `${answer.key} and a cent`,
    payment: null,
    minor: minor + 1n,
    status: 'unknown',
    cause: 'amount',
  } as const;
  return bookAnswers(company, by, {
    fileName: 'report.xml',
    text,
    answers: judged(company, [isOther ? other : answer]),
  });
}

/** A report that names one payment of a message by its references. */
function partOf(
  { messageId }: ModelFile,
  { reference, trace, request, batchNumber }: ModelPayment,
  { code, isOther }: { code: string; isOther: boolean },
): string {
  return pain002({
    messageId: messageId ?? '',
    status: 'PART',
    batches: [
      {
        id: `${messageId}-${batchNumber}`,
        payments: [
          {
            endToEndId: reference,
            instructionId: trace,
            amountMinor: request.minor + (isOther ? 1n : 0n),
            status: 'RJCT',
            reason: code,
          },
        ],
      },
    ],
  });
}

/** A notification (camt.054) of a payment that came back, of a file in any format. */
function notify(company: Company): Promise<Attempt> | null {
  const { oracle } = company;
  const sent = oracle.payouts.filter(({ fileId }) => oracle.file(fileId).sentAt !== null);
  const payment = pickMostly(company, sent, isOut);
  const other = pickOne(company, sent);
  if (payment === null || other === null) return null;
  const number = oracle.returnFiles.length + 1;
  const notified = [payment, ...(other === payment ? [] : [other])].slice(0, 2);
  const entries = notified.map(({ reference, request }, index) => [
    {
      endToEndId: reference,
      amountMinor: request.minor,
      reason: 'AC06',
      reference: `N-${number}-${index}`,
    },
  ]);
  const answers = notified.map((one, index) => answerOf(one, 'AC06', `N-${number}-${index}`));
  return bookAnswers(company, anAdmin(company), {
    fileName: 'notification.xml',
    text: camt054(entries),
    answers: judged(company, answers),
  });
}

export const isoAnswerMoves: readonly Move[] = [
  { weight: 5, make: report },
  { weight: 3, make: notify },
];
