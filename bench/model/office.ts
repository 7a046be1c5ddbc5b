import type { RouteReply } from '#contract/api.ts';
import { addMonths } from '#contract/calendar.ts';
import { importEmployeesJob } from '#server/modules/employees/index.ts';
import { anAdmin, ask, attempt, expectReply, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import type { ModelFile } from './bank-things.ts';
import { isOpenBatch } from './payroll.ts';
import type { ModelPerson } from './things.ts';

const CLOSING = '/api/admin/closing';
const IMPORTS = '/api/admin/employee-imports';
/** More people make each step slower and find nothing else. */
const MOST_IMPORTED = 3;

const monthOf = ({ dayOf }: Pick<Company, 'dayOf'>, at: Date) => dayOf(at).slice(0, 7);
const monthAfter = (month: string) => addMonths(`${month}-01`, 1).slice(0, 7);

/** Months from the first posting to the present one. */
function monthsOf(company: Company): string[] {
  const { oracle, month } = company;
  const entries = [...oracle.accounts.values()].flatMap((account) => account.entries);
  const times = [...entries.map(({ at }) => at), ...oracle.ownPostings];
  const first = times.map((at) => monthOf(company, at)).toSorted()[0] ?? month();
  const months = [first];
  while ((months.at(-1) ?? '') < month()) months.push(monthAfter(months.at(-1) ?? ''));
  return months;
}

/** Closes a month in a company without statements: mostly the one whose turn it is. */
async function closeMonth(company: Company): Promise<Attempt | null> {
  const { oracle, random, bankId } = company;
  const months = monthsOf(company);
  const next = months.find((one) => !oracle.closed.includes(one)) ?? company.month();
  const month = random.chance(0.85) ? next : random.pick(months as [string]);
  if (bankId !== null || (month === company.month() && random.chance(0.9))) return null;
  const by = anAdmin(company);
  const read = await ask<RouteReply<'adminGetMonth'>>(company, by, 'GET', `${CLOSING}/${month}`);
  const { hash } = expectReply(read, month);
  const isStale = random.chance(0.1);
  return attempt({
    by,
    path: `${CLOSING}/${month}/close`,
    confirms: true,
    body: { hash: isStale ? 'ab'.repeat(32) : hash, isCompared: true },
    refusals: [
      (month !== next || month === company.month()) && 'month_wrong_status',
      isBlocked(company, month) && 'month_blocked',
      isStale && 'conflict',
    ],
    done: () => void oracle.closed.push(month),
  });
}

/** True while money of the month is on its way, or a payroll of it is not paid. */
function isBlocked(company: Company, month: string): boolean {
  const { oracle } = company;
  const isOnItsWay = [...oracle.files.values()].some((file) => {
    const { id, sentAt, withdrawals, bills } = file;
    const items = [
      ...withdrawals.filter(({ status }) => status === 'processing'),
      ...bills.filter(({ status }) => status === 'sent'),
    ];
    const isLive = items.some(({ fileId }) => fileId === id) || hasDepositsOnTheirWay(file);
    return isLive && sentAt !== null && monthOf(company, sentAt) <= month;
  });
  const isUnpaid = [...oracle.batches.values()].some(
    (batch) => isOpenBatch(batch) && monthOf(company, batch.sentAt) <= month,
  );
  return isOnItsWay || isUnpaid;
}

function hasDepositsOnTheirWay({ status, proofs }: ModelFile): boolean {
  const items = proofs.flatMap((proof) => proof.items);
  return status === 'sent' && items.some(({ isLive, minor }) => isLive && minor > 0n);
}

/** Proposes to open the last closed month again, or decides on that. */
function reopen(company: Company): Attempt | null {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const { reopening } = oracle;
  if (reopening === null) {
    const month = random.chance(0.8) ? oracle.closed.at(-1) : pickOne(company, monthsOf(company));
    if (month === undefined || month === null) return null;
    return attempt<RouteReply<'adminProposeReopening'>>({
      by,
      path: `${CLOSING}/${month}/reopen`,
      confirms: true,
      body: { reason: 'It was closed too early' },
      refusals: [month !== oracle.closed.at(-1) && 'month_wrong_status'],
      done(shown) {
        const id = shown.reopening?.id;
        if (id === undefined) throw new Error(`nobody proposes to open ${month} again`);
        oracle.reopening = { id, month, by: by.id };
      },
    });
  }
  const isAccepted = random.chance(0.7);
  return attempt({
    by,
    path: `${CLOSING}/reopenings/${reopening.id}/${isAccepted ? 'accept' : 'discard'}`,
    confirms: isAccepted,
    refusals: [
      isAccepted && oracle.isAlone(by, [reopening.by]) && 'second_person_needed',
      isAccepted && reopening.month !== oracle.closed.at(-1) && 'month_wrong_status',
    ],
    done() {
      if (isAccepted) oracle.closed.pop();
      oracle.reopening = null;
    },
  });
}

/** A process whose clock is in a closed month moves money between accounts without a later entry, and is refused. */
async function moveInClosedMonth(company: Company): Promise<null> {
  const { oracle } = company;
  const last = oracle.closed.at(-1);
  const hasLater = ({ entries }: { entries: readonly { at: Date }[] }) =>
    entries.some(({ at }) => monthOf(company, at) > (last ?? ''));
  const from = pickOne(
    company,
    [...oracle.accounts.values()].filter(
      (one) => one.posted - one.held > 0n && !hasLater(one) && !oracle.person(one.ownerId).hasLeft,
    ),
  );
  const others = oracle.accountsOf(from?.ownerId ?? '');
  const to = others.find((one) => one !== from && !one.isClosed && !hasLater(one));
  if (last === undefined || from === null || to === undefined || oracle.isStopped) return null;
  const body = { fromWalletId: from.id, toWalletId: to.id, amount: usd(1n) };
  const moved = await company.at(new Date(`${last}-28T15:00:00Z`), () =>
    ask(company, oracle.person(from.ownerId), 'POST', '/api/wallets/moves', body),
  );
  if ((moved as { code?: string }).code === 'month_closed') return null;
  throw new Error(`moved money in ${last}, which is closed: ${JSON.stringify(moved)}`);
}

/** Confirms a file of employees: new ones, somebody who is here, and a row with a fault. */
async function confirmImport(company: Company): Promise<Attempt | null> {
  const { app, oracle, random } = company;
  if (oracle.imported.length >= MOST_IMPORTED) return null;
  const by = anAdmin(company);
  const email = `imported-${oracle.imported.length}@purser.test`;
  const known = pickOne(company, oracle.people.values()) as ModelPerson;
  const { email: taken } = await app.db
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', known.id)
    .executeTakeFirstOrThrow();
  const hasNew = random.chance(0.8);
  const rows = [
    ...(hasNew ? [`Iva New,${email},Engineering`] : []),
    `Iva New,${taken},Engineering`,
    'Iva New,nowhere,Engineering',
  ];
  const text = ['Full Name,Email,Department', ...rows].join('\n');
  const read = await ask<RouteReply<'adminUploadImport'>>(company, by, 'POST', IMPORTS, text);
  if ((read as { code?: string }).code === 'import_in_progress') {
    if (oracle.openImport !== null && oracle.openImport !== by.id) return null;
    throw new Error(`a file of nobody else is in progress: ${JSON.stringify(read)}`);
  }
  const { id, version, counts } = expectReply(read, 'a file of employees');
  oracle.openImport = by.id;
  const found = [counts.ready, counts.duplicates, counts.errors].join();
  const wanted = [hasNew ? 1 : 0, 1, 1].join();
  if (found !== wanted) throw new Error(`rows ${found}, the oracle has ${wanted}`);
  const isStale = random.chance(0.1);
  return attempt({
    by,
    path: `${IMPORTS}/${id}/confirm`,
    confirms: true,
    body: { version: version + (isStale ? 1 : 0) },
    refusals: [isStale && 'conflict', !hasNew && 'import_nothing_ready'],
    async done() {
      await importEmployeesJob(
        app.db,
        { ...app.services, clock: { now: company.now } },
        {
          importId: id,
        },
      );
      oracle.openImport = null;
      oracle.imported.push(email);
      const added = await app.db
        .selectFrom('appUser')
        .select(['id', 'name', 'email'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      await company.meet(added);
    },
  });
}

export const officeMoves: readonly Move[] = [
  { weight: 3, make: closeMonth },
  { weight: 2, make: reopen },
  { weight: 2, make: moveInClosedMonth },
  { weight: 1, make: confirmImport },
];
