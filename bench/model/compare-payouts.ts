import type { RouteReply } from '#contract/api.ts';
import { anAdminOf, byId, expectSame, read, readText } from './compare-kit.ts';
import { pickOne } from './attempt.ts';
import type { ModelFile } from './bank-things.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { isReady, isReadyBill, needsProof, proofOf, totalOf } from './may-leave.ts';
import { compareRules } from './settings.ts';
import type { ModelPerson } from './things.ts';

const sumOf = (all: readonly { minor: bigint }[]) =>
  usd(all.reduce((sum, { minor }) => sum + minor, 0n));

/** Compares what is ready, held, on its way and back, one payout file, its reversals, and the settings. */
export async function comparePayouts(company: Company): Promise<void> {
  await compareDesk(company);
  const file = pickOne(company, company.oracle.files.values());
  if (file !== null) await compareFile(company, file);
  await compareReturns(company);
  const path = 'admin/settings';
  compareRules(company, await read(company, anAdminOf(company).cookie, path));
}

async function compareDesk(company: Company): Promise<void> {
  const { oracle, month, today, dayOf } = company;
  const by = anAdminOf(company);
  const page = await read<RouteReply<'adminGetPayouts'>>(company, by.cookie, 'admin/payouts');
  const approved = [...oracle.withdrawals.values()].filter(
    ({ status, fileId }) => status === 'approved' && fileId === null,
  );
  const due = [...oracle.bills.values()].filter(
    ({ status, fileId }) => status === 'due' && fileId === null,
  );
  const proofs = [...oracle.banks.values()].filter((one) => needsProof(company, one));
  const isPrenote = oracle.rules.bankAccountProof === 'prenote';
  const ready = [
    ...approved.filter((one) => isReady(company, by, one)),
    ...due.filter((one) => isReadyBill(company, by, one)),
  ];
  const held = [...approved, ...due].filter((one) => !ready.includes(one));
  const shown = [
    page.readySum,
    page.heldSum,
    page.readyPrenotes,
    page.readyMicroDeposits,
    page.fileCount,
  ];
  expectSame('what is ready and held', shown, [
    { count: ready.length + proofs.length, total: sumOf(ready) },
    { count: held.length, total: sumOf(held) },
    isPrenote ? proofs.length : 0,
    isPrenote ? 0 : proofs.length,
    oracle.files.size,
  ]);
  const sent = [...oracle.files.values()].filter(({ status }) => status === 'sent');
  const live = sent.flatMap((file) => itemsOf(company, file)).filter(({ isLive }) => isLive);
  const open = [...oracle.returnEntries.values()].filter(({ status }) =>
    ['unknown', 'proposed'].includes(status),
  );
  expectSame(
    'files on their way and returns to decide on',
    [page.onItsWay, page.openReturns],
    [sumOf(live), open.length],
  );
  const back = [...oracle.files.values()].flatMap((file) =>
    itemsOf(company, file).flatMap(({ returnedAt, ...item }) =>
      returnedAt === undefined ? [] : [{ ...item, day: dayOf(returnedAt) }],
    ),
  );
  const ofMonth = back.filter(({ day }) => day.startsWith(month()));
  const ofToday = back.filter(({ day }) => day === today());
  expectSame(
    'what came back this month and today',
    [page.returnedThisMonth, page.returnedToday].map(({ count, total }) => ({ count, total })),
    [ofMonth, ofToday].map((some) => ({ count: some.length, total: sumOf(some) })),
  );
}

/** Items of a file that was not cancelled, each with the time at which it came back. */
function itemsOf({ oracle }: Company, { id, proofs }: ModelFile) {
  const payments = oracle.payouts.flatMap(({ fileId, request, itemId }) => {
    const { minor, returnedAt } = request;
    if (fileId !== id || request.fileId !== id) return [];
    return [{ id: itemId, minor, returnedAt, isLive: returnedAt === undefined }];
  });
  return [
    ...payments,
    ...proofs.flatMap(({ items }) =>
      items.map(({ id: itemId, minor, returnedAt, isLive }) => {
        return { id: itemId, minor, returnedAt, isLive };
      }),
    ),
  ];
}

async function compareFile(company: Company, file: ModelFile): Promise<void> {
  const { oracle } = company;
  const { cookie } = anAdminOf(company);
  const path = `admin/payouts/${file.id}`;
  const shown = await read<RouteReply<'adminGetPayoutFile'>>(company, cookie, path);
  const items = itemsOf(company, file);
  const isCancelled = file.status === 'cancelled';
  const back = items.filter(({ returnedAt }) => returnedAt !== undefined);
  expectSame(
    `payout file ${file.number}`,
    [shown.status, shown.total, shown.unposted, shown.refused.length],
    [file.status, usd(totalOf(file)), 0, 0],
  );
  if (!isCancelled) {
    const wanted = { count: back.length, total: sumOf(back) };
    expectSame(`what came back of ${file.number}`, shown.returned, wanted);
    expectSame(
      `entries of ${file.number}`,
      byId(shown.entries.map(({ itemId, amount }) => ({ id: itemId, amount }))),
      byId(items.map(({ id, minor }) => ({ id, amount: usd(minor) }))),
    );
  }
  const reversals = [...oracle.reversals.values()].filter(
    ({ payment }) => payment.fileId === file.id,
  );
  expectSame(
    `reversals of ${file.number}`,
    byId(shown.reversals.map(({ id, status, isBack }) => ({ id, status, isBack }))),
    byId(
      reversals.map(({ id, status, payment }) => {
        return { id, status, isBack: payment.request.status === 'returned' };
      }),
    ),
  );
  const rows = (await readText(company, cookie, `${path}/export`)).trimEnd().split('\r\n').length;
  expectSame(`rows of the export of ${file.number}`, rows - 1, shown.itemCount);
}

/** Entries of all returns files that wait for somebody, with their amounts. */
async function compareReturns(company: Company): Promise<void> {
  const { cookie } = anAdminOf(company);
  const { files } = await read<RouteReply<'adminGetReturns'>>(company, cookie, 'admin/returns');
  const entries = [...company.oracle.returnEntries.values()];
  expectSame('returns files', files.length, Math.min(50, company.oracle.returnFiles.length));
  if (files.length === 50) return;
  const open = entries.filter(({ status }) => status === 'unknown' || status === 'proposed');
  expectSame(
    'returns that wait for somebody',
    [
      files.reduce((sum, one) => sum + one.open, 0),
      files.reduce((sum, one) => sum + one.waiting, 0),
      files.reduce((sum, one) => sum + one.entryCount, 0),
    ],
    [open.length, 0, entries.length],
  );
}

/** The bank accounts of a person, with what their owner is to do. */
export async function compareBankAccounts(company: Company, person: ModelPerson): Promise<void> {
  const { oracle } = company;
  const own = await read<RouteReply<'listBankAccounts'>>(company, person.cookie, 'bank-accounts');
  expectSame(
    `bank accounts of ${person.name}`,
    byId(
      own.items.map(({ id, status, prenote, microDeposits }) => {
        const isInFile = (prenote ?? microDeposits)?.fileNumber ?? null;
        return { id, status, isInFile: isInFile !== null, tries: microDeposits?.triesUsed ?? null };
      }),
    ),
    byId(
      [...oracle.banks.values()]
        .filter(({ ownerId, status }) => ownerId === person.id && status !== 'removed')
        .map((bank) => {
          const proof = bank.status === 'pending' ? proofOf(company, bank) : undefined;
          const isAsked = oracle.rules.bankAccountProof === 'micro_deposits';
          const tries = isAsked && bank.status === 'pending' ? (proof?.tries ?? 0) : null;
          return { id: bank.id, status: bank.status, isInFile: proof !== undefined, tries };
        }),
    ),
  );
}
