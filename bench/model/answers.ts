import { createHash } from 'node:crypto';
import type { RouteReply } from '#contract/api.ts';
import type { ReturnCause, ReturnEntryStatus } from '#contract/returns.ts';
import { ask, attempt, expectReply } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { ModelPayment, ModelProof, ModelProofItem, ReturnEntryKind } from './bank-things.ts';
import { noteReturnedBill, noteReturnedPayout, secondPerson } from './came-back.ts';
import type { Company } from './company.ts';
import type { ModelBill, ModelPerson, ModelWithdrawal } from './things.ts';

const PATH = '/api/admin/returns';
/** Codes that are about the account, so that nothing goes there before it was confirmed (docs/rules.md, "Payout files"). */
const MARKING = ['R03', 'R04', 'AC04', 'AC06'];

/** Address at which a file is booked. */
function pathOf(text: string, fileName: string): string {
  const hash = createHash('sha256').update(text, 'latin1').digest('hex');
  return `${PATH}?fileName=${fileName}&hash=${hash}`;
}

/** A request to book a file that is refused. */
export function refusedFile(
  by: ModelPerson,
  { fileName, text, code }: { fileName: string; text: string; code: string },
): Attempt {
  return attempt({
    by,
    path: pathOf(text, fileName),
    confirms: true,
    body: text,
    refusals: [code],
    done: () => undefined,
  });
}

/** An entry of a returns file, with what becomes of it on paper. */
export interface Answer {
  kind: ReturnEntryKind;
  code: string;
  minor: bigint;
  /** Distinguishes two entries about one payment. */
  key: string;
  status: ReturnEntryStatus;
  cause: ReturnCause | null;
  payment: ModelPayment | null;
  proof: { of: ModelProof; item: ModelProofItem } | null;
  /** Changes the oracle further. */
  follow?: () => void;
}

/** An answer as it is in a file: one that another file or an earlier entry has is repeated. */
export function judged({ oracle }: Company, answers: readonly Answer[]): Answer[] {
  const keys = new Set(oracle.returnKeys);
  const back = new Set<string>();
  return answers.map((answer): Answer => {
    const isKnown = keys.has(answer.key);
    keys.add(answer.key);
    if (isKnown) return { ...answer, status: 'repeated', cause: null };
    const isAnswer = answer.status === 'booked' || answer.cause === 'reversal';
    const about = `${answer.status} ${answer.payment?.itemId ?? answer.proof?.item.id}`;
    const isAgain = isAnswer && back.has(about);
    if (isAnswer) back.add(about);
    return isAgain ? { ...answer, status: 'repeated', cause: 'returned' } : answer;
  });
}

/** Books a file with these answers, which the check counts first. */
export async function bookAnswers(
  company: Company,
  by: ModelPerson,
  { fileName, text, answers }: { fileName: string; text: string; answers: readonly Answer[] },
): Promise<Attempt> {
  const { oracle } = company;
  const booked = answers.filter(({ status }) => status === 'booked');
  await compareCheck(company, by, { text, answers });
  const refusals = refusalsToBook(company, by, booked);
  return attempt<RouteReply<'adminBookReturns'>>({
    by,
    path: pathOf(text, fileName),
    confirms: true,
    body: text,
    refusals,
    async done({ id }) {
      oracle.returnFiles.push(text);
      for (const { key } of answers) oracle.returnKeys.add(key);
      for (const answer of inOrder(booked)) giveBack(company, by, answer);
      for (const answer of answers) if (answer.status !== 'repeated') answer.follow?.();
      await noteEntries(company, id, answers);
    },
  });
}

/** Answers in the order in which they are posted: withdrawals before bills, each by their ids. */
function inOrder(booked: readonly Answer[]): Answer[] {
  const placeOf = ({ payment }: Answer) =>
    payment === null ? '' : `${payment.isBill ? 'b' : 'a'} ${payment.request.id}`;
  return booked.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
}

/** The check of a file says what booking it does, and books nothing. */
async function compareCheck(
  company: Company,
  by: ModelPerson,
  { text, answers }: { text: string; answers: readonly Answer[] },
): Promise<void> {
  const read = await ask<RouteReply<'adminCheckReturns'>>(
    company,
    by,
    'POST',
    `${PATH}/check`,
    text,
  );
  const check = expectReply(read, 'check of returns');
  const sum = answers
    .filter(({ status }) => status === 'booked')
    .reduce((all, { minor }) => all + minor, 0n);
  const count = (status: ReturnEntryStatus) =>
    answers.filter((one) => one.status === status).length;
  const shown = [
    check.booked.count,
    check.booked.total.minor,
    check.unknown,
    check.proposed,
    check.repeated,
    check.listed,
  ].join();
  const known = [
    count('booked'),
    String(sum),
    count('unknown'),
    count('proposed'),
    count('repeated'),
    count('listed'),
  ].join();
  if (shown !== known) {
    throw new Error(`the check finds ${shown}, the oracle ${known}: ${JSON.stringify(check)}`);
  }
}

/** Causes for which an administrator may not give these payments back: their own, or a duty that takes another person. */
function refusalsToBook(company: Company, by: ModelPerson, booked: readonly Answer[]) {
  const isOwn = booked.some(({ payment, proof, code }) => {
    if (payment !== null) return payment.request.ownerId === by.id;
    return proof !== null && proof.of.ownerId === by.id && failsAccount(company, proof, code);
  });
  let besides = 0n;
  let isNeeded = false;
  // Withdrawals are looked at before bills.
  const payments = booked.flatMap(({ payment }) => payment ?? []);
  for (const payment of [
    ...payments.filter(({ isBill }) => !isBill),
    ...payments.filter(({ isBill }) => isBill),
  ]) {
    const second = secondPersonOf(company, by, payment, besides);
    isNeeded ||= second.isNeeded;
    if (second.isAlone && company.oracle.rules.separateReturn !== null) {
      besides += payment.request.minor;
    }
  }
  return [isOwn && 'own_request', isNeeded && 'second_person_needed'];
}

/** The rule of two people about the return of a payment. */
export function secondPersonOf(
  company: Company,
  by: ModelPerson,
  { request, isBill }: ModelPayment,
  besides = 0n,
) {
  const acts = [isBill ? 'send' : 'approve', 'complete'] as const;
  return secondPerson(company, by, request, { act: 'return', acts, besides });
}

/** Gives a payment, a prenote or a micro-deposit back on paper. */
export function giveBack(company: Company, by: ModelPerson, answer: Answer): void {
  const { payment, proof, code } = answer;
  if (payment !== null) {
    secondPersonOf(company, by, payment).count();
    const { request, isBill } = payment;
    if (isBill) noteReturnedBill(company, request as ModelBill, by);
    else {
      const marks = { marks: MARKING.includes(code) };
      noteReturnedPayout(company, request as ModelWithdrawal, by, marks);
    }
  }
  if (proof === null) return;
  const isFailed = failsAccount(company, proof, code);
  const isDeposit = proof.item.minor > 0n;
  if (answer.kind === 'return' || !isDeposit) {
    proof.item.isLive = false;
    proof.item.returnedAt = company.now();
    if (isDeposit) company.oracle.ownPostings.push(company.now());
  }
  if (isFailed) company.oracle.bank(proof.of.bankId).status = 'rejected';
}

/** True if the answer to a prenote or a micro-deposit rejects the account, as it is. */
function failsAccount(
  { oracle }: Company,
  { of, item }: NonNullable<Answer['proof']>,
  code: string,
): boolean {
  const { status, submittedAt } = oracle.bank(of.bankId);
  const isSame = submittedAt.getTime() === of.asOf.getTime();
  const isOpen = status === 'pending' || status === 'verified';
  const isAboutIt = MARKING.includes(code) || code.startsWith('C') || item.minor > 0n;
  return isSame && isOpen && isAboutIt;
}

/** Compares the entries of a booked file, and keeps those that somebody decides on. */
async function noteEntries(
  { app, oracle }: Company,
  fileId: string,
  answers: readonly Answer[],
): Promise<void> {
  const rows = await app.db
    .selectFrom('returnEntry')
    .select(['id', 'status', 'cause', 'code', 'amountMinor'])
    .where('fileId', '=', fileId)
    .orderBy('recordNumber')
    .execute();
  for (const [index, { status, cause, code, minor, kind, payment }] of answers.entries()) {
    const row = rows[index];
    const shown = [row?.status, row?.cause, row?.code, row?.amountMinor].join();
    const known = [status, cause, code, minor].join();
    if (row === undefined || shown !== known) {
      throw new Error(`entry ${index + 1} of ${fileId} is ${shown}, the oracle ${known}`);
    }
    oracle.returnEntries.set(row.id, { id: row.id, kind, code, minor, status, cause, payment });
  }
  if (rows.length !== answers.length) throw new Error(`${fileId} has ${rows.length} entries`);
}
