import { sql } from 'kysely';
import { THEIR_BANK, returnsFile } from '#test/factories/returns-file.ts';
import type { ReturnedEntry } from '#test/factories/returns-file.ts';
import { bookAnswers, giveBack, judged, refusedFile, secondPersonOf } from './answers.ts';
import type { Answer } from './answers.ts';
import { anAdmin, attempt, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { ModelPayment, ModelReturnEntry } from './bank-things.ts';
import type { Company } from './company.ts';
import { isChangeOpen, isOut } from './may-leave.ts';
import type { ModelPerson } from './things.ts';

const PATH = '/api/admin/returns';
/** A trace number that no file of ours has. */
const NO_TRACE = '084207319999999';

/** An entry of a NACHA file, without its number at the bank that sends it back. */
type Written = Omit<Answer, 'key'> & { entry: ReturnedEntry };

/** Books a file of the bank: payments that came back, answers to prenotes and micro-deposits, and what Purser cannot place. */
async function book(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const booked = pickOne(company, oracle.returnFiles);
  if (booked !== null && random.chance(0.05)) {
    return refusedFile(by, { fileName: 'again.ach', text: booked, code: 'return_file_booked' });
  }
  const written: Written[] = [];
  while (written.length === 0 || random.chance(0.4)) {
    const one = aWriter(company)(company);
    if (one === null) break;
    written.push(one);
  }
  return written.length === 0 ? null : bookWritten(company, by, written);
}

/** Books a file with one notification of change, if some account can be updated. */
function bookChange(company: Company): Promise<Attempt> | null {
  const isOpen = [...company.oracle.banks.values()].some((bank) => isChangeOpen(company, bank));
  const change = isOpen ? null : aChange(company);
  if (change?.status !== 'proposed') return null;
  return bookWritten(company, anAdmin(company), [change]);
}

/** Books a NACHA file with these entries. */
async function bookWritten(
  company: Company,
  by: ModelPerson,
  written: readonly Written[],
): Promise<Attempt> {
  const { app, oracle } = company;
  const first = oracle.returnFiles.length * 100 + 1;
  const entries = written.map(({ entry }, index) => ({ ...entry, number: first + index }));
  const answers = written.map(({ entry, ...answer }, index): Answer => {
    const bankTrace = THEIR_BANK.slice(0, 8) + String(first + index).padStart(7, '0');
    return { ...answer, key: [entry.trace, bankTrace, answer.kind, answer.code].join(' ') };
  });
  // A run sends more files in an hour than a person may.
  await sql`DELETE FROM rate_limit`.execute(app.db);
  return bookAnswers(company, by, {
    fileName: 'returns.ach',
    text: returnsFile(entries).join('\n'),
    answers: judged(company, answers),
  });
}

/** Kind of the next entry of a file. */
function aWriter({ random }: Company): (company: Company) => Written | null {
  if (random.chance(0.4)) return aPayment;
  return random.pick([aProof, aProof, anotherAmount, aLostOne, aDebit, aChange, aDispute]);
}

/** A payment that a bank sends back, mostly one that has not come back yet. */
function aPayment(company: Company): Written | null {
  const payment = pickMostly(company, sentPayments(company), isOut);
  if (payment === null) return null;
  const code = company.random.pick(['R03', 'R03', 'R01']);
  const { minor } = payment.request;
  const entry = { code, trace: payment.trace, amountMinor: minor };
  const known = { kind: 'return', code, minor, payment, proof: null } as const;
  return isOut(payment)
    ? { ...known, entry, status: 'booked', cause: null }
    : { ...known, entry, status: 'repeated', cause: 'returned' };
}

/** Payments of files that were sent. */
function sentPayments({ oracle }: Company): ModelPayment[] {
  return oracle.payouts.filter(({ fileId }) => oracle.file(fileId).sentAt !== null);
}

function aProof(company: Company): Written | null {
  const { oracle, random } = company;
  const sent = oracle.proofs().filter(({ fileId }) => oracle.file(fileId).sentAt !== null);
  const of = pickOne(company, sent);
  const item = pickOne(company, of?.items ?? []);
  if (of === null || item === null) return null;
  const isChange = random.chance(0.2);
  const code = isChange ? 'C01' : random.pick(['R03', 'R01']);
  const minor = isChange ? 0n : item.minor;
  const entry = { code, trace: item.trace, amountMinor: minor, corrected: random.digits(9) };
  const kind = isChange ? ('change' as const) : ('return' as const);
  const known = { kind, code, minor, payment: null, proof: { of, item }, entry };
  return item.isLive
    ? { ...known, status: 'booked', cause: null }
    : { ...known, status: 'repeated', cause: 'returned' };
}

/** A return that differs from its payment by a cent, which an administrator sets aside. */
function anotherAmount(company: Company): Written | null {
  const payment = pickOne(company, sentPayments(company));
  if (payment === null) return null;
  const minor = payment.request.minor + 1n;
  const entry = { code: 'R03', trace: payment.trace, amountMinor: minor };
  const known = { kind: 'return', code: 'R03', minor, payment: null, proof: null } as const;
  return { ...known, entry, status: 'unknown', cause: 'amount' };
}

/** A return that says the trace number of nobody, of the amount of a payment that an administrator finds. */
function aLostOne(company: Company): Written | null {
  const payment = pickMostly(company, sentPayments(company), isOut);
  if (payment === null) return null;
  const { minor } = payment.request;
  const entry = { code: 'R03', trace: NO_TRACE, amountMinor: minor };
  const known = { kind: 'return', code: 'R03', minor, payment: null, proof: null } as const;
  return { ...known, entry, status: 'unknown', cause: 'trace' };
}

/** A debit that another bank sends back: it refuses to have a payment taken back, where that was asked. */
function aDebit(company: Company): Written | null {
  const { oracle } = company;
  const sent = [...oracle.reversals.values()].filter(({ status }) => status === 'sent');
  const reversal = pickOne(company, sent);
  const payment = reversal?.payment ?? pickOne(company, sentPayments(company));
  if (payment === null) return null;
  const { minor } = payment.request;
  const entry = { code: 'R01', trace: payment.trace, amountMinor: minor, transactionCode: '26' };
  const known = { kind: 'return', code: 'R01', minor, payment: null, proof: null } as const;
  if (reversal === null) return { ...known, entry, status: 'unknown', cause: 'debit' };
  const refuse = () => {
    reversal.status = 'refused';
  };
  return { ...known, payment, entry, status: 'listed', cause: 'reversal', follow: refuse };
}

/** A notification that the bank of a payment asks for another account number. */
function aChange(company: Company): Written | null {
  const { oracle, random } = company;
  const isSameFor = ({ request: { requestedAt, ...paid } }: ModelPayment) => {
    const to = 'bankId' in paid ? oracle.bank(paid.bankId) : null;
    return to?.status === 'verified' && to.submittedAt <= requestedAt;
  };
  const payment = pickMostly(company, sentPayments(company), isSameFor);
  if (payment === null) return null;
  const entry = { code: 'C01', trace: payment.trace, corrected: random.digits(9) };
  const known = { kind: 'change', code: 'C01', minor: 0n, proof: null, entry } as const;
  return isSameFor(payment)
    ? { ...known, payment, status: 'proposed', cause: null }
    : { ...known, payment, status: 'listed', cause: 'account' };
}

/** Another bank rejects a return, or we contested that: until then nobody sends the payment again. */
function aDispute(company: Company): Written | null {
  const payment = pickMostly(
    company,
    sentPayments(company),
    (one) => one.request.status === 'returned',
  );
  if (payment === null) return null;
  const isContested = company.random.chance(0.6);
  const code = isContested ? 'R71' : 'R61';
  const { minor } = payment.request;
  const entry = { code, trace: payment.trace, amountMinor: minor };
  const kind = isContested ? ('contested' as const) : ('dishonored' as const);
  return { kind, code, minor, payment, proof: null, entry, status: 'listed', cause: null };
}

/** Books a return that Purser could not place to a payment that an administrator found. */
function bookTo(company: Company): Attempt | null {
  const { oracle } = company;
  const isOpen = ({ status, kind }: ModelReturnEntry) => status === 'unknown' && kind === 'return';
  const fitsTo = (entry: ModelReturnEntry) => (one: ModelPayment) =>
    isOut(one) && one.request.minor === entry.minor;
  const entry = pickMostly(
    company,
    oracle.returnEntries.values(),
    (one) => isOpen(one) && oracle.payouts.some(fitsTo(one)),
  );
  if (entry === null) return null;
  const fits = fitsTo(entry);
  const payment = pickMostly(company, oracle.payouts, fits);
  if (payment === null) return null;
  const by = anAdmin(company);
  const second = secondPersonOf(company, by, payment);
  return attempt({
    by,
    path: `${PATH}/entries/${entry.id}/book`,
    confirms: true,
    body: { itemId: payment.itemId },
    refusals: [
      entry.status !== 'unknown' && 'return_entry_decided',
      !(fits(payment) && isOpen(entry)) && 'return_item_differs',
      by.id === payment.request.ownerId && 'own_request',
      second.isNeeded && 'second_person_needed',
    ],
    done() {
      giveBack(company, by, { ...entry, key: '', payment, proof: null });
      entry.status = 'booked';
    },
  });
}

function setAside(company: Company): Attempt | null {
  const { oracle } = company;
  const all = oracle.returnEntries.values();
  const entry = pickMostly(company, all, ({ status }) => status === 'unknown');
  if (entry === null) return null;
  return attempt({
    by: anAdmin(company),
    path: `${PATH}/entries/${entry.id}/not-ours`,
    confirms: true,
    refusals: [entry.status !== 'unknown' && 'return_entry_decided'],
    done: () => {
      entry.status = 'not_ours';
    },
  });
}

/** True for a change that nobody decided on, to an account that it is still about and that no money is on its way to. */
function canUpdate({ oracle }: Company, { kind, status, payment }: ModelReturnEntry): boolean {
  const paid = payment?.request;
  if (kind !== 'change' || status !== 'proposed') return false;
  if (paid === undefined || !('bankId' in paid)) return false;
  const bank = oracle.bank(paid.bankId);
  const isSame = bank.status === 'verified' && bank.submittedAt <= paid.requestedAt;
  return isSame && oracle.usesOf(bank.id) === 0;
}

/** Updates an account as its bank asked, or keeps it: until then nothing is paid to it. */
function decideOnChange(company: Company): Attempt | null {
  const { oracle, random, now } = company;
  const changes = [...oracle.returnEntries.values()].filter(({ kind }) => kind === 'change');
  const entry = pickMostly(company, changes, (one) => canUpdate(company, one));
  const request = entry?.payment?.request;
  if (entry === null || request === undefined || !('bankId' in request)) return null;
  const by = anAdmin(company);
  const isAccepted = random.chance(0.75);
  const bank = oracle.bank(request.bankId);
  const isOther = bank.status !== 'verified' || bank.submittedAt > request.requestedAt;
  return attempt({
    by,
    path: `${PATH}/entries/${entry.id}/${isAccepted ? 'accept' : 'decline'}`,
    confirms: true,
    refusals: [
      entry.status !== 'proposed' && 'return_entry_decided',
      isAccepted && isOther && 'change_outdated',
      isAccepted && by.id === bank.ownerId && 'own_request',
      isAccepted && oracle.usesOf(bank.id) > 0 && 'bank_account_in_use',
    ],
    done() {
      entry.status = isAccepted ? 'accepted' : 'declined';
      if (!isAccepted) return;
      bank.submittedAt = now();
      bank.verifiedBy = by.id;
      for (const reversal of oracle.reversals.values()) {
        const paid = reversal.payment.request;
        if ('bankId' in paid && paid.bankId === bank.id) reversal.differs = true;
      }
    },
  });
}

export const returnMoves: readonly Move[] = [
  { weight: 9, make: book },
  { weight: 25, make: bookChange },
  { weight: 6, make: bookTo },
  { weight: 2, make: setAside },
  { weight: 20, make: decideOnChange },
];
