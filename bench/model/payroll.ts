import { isDeepStrictEqual } from 'node:util';
import type { PayrollBatch, PayrollPreview, RouteReply } from '#contract/api.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { runTransfers } from '#server/modules/transfers/index.ts';
import { anAdmin, anAmount, anEmployee, ask, attempt } from './attempt.ts';
import { expectReply, isOpenOf, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { isRefused, passedLimits } from './payroll-limits.ts';
import { lineMoves, readLineIds } from './payroll-lines.ts';
import type { ModelBatch, ModelLine, ModelPerson } from './things.ts';
import { noteRuns } from './transfers.ts';

const REASON = { reason: 'A reason that is long enough' };
const BATCHES = '/api/admin/payroll/batches';

async function fund(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const to = anEmployee(company);
  const wallet = pickMostly(company, oracle.accounts.values(), isOpenOf(to));
  if (wallet === null) return null;
  const minor = anAmount(company, 300_000);
  if (minor > 5_000_000n) return null;
  const path = `/api/admin/funding/employees/${to.id}`;
  const read = await ask<RouteReply<'adminGetFundingAccounts'>>(company, by, 'GET', path);
  const { paid } = expectReply(read, 'accounts to fund');
  const isUnseen = paid !== null && random.chance(0.1);
  const waits = oracle.takesTwo('payroll', minor);
  return attempt<RouteReply<'adminFundEmployee'>>({
    by,
    path,
    confirms: true,
    pays: { minor, to: [to.id] },
    body: {
      type: 'bonus',
      walletId: wallet.id,
      amount: usd(minor),
      description: '',
      ...(paid !== null && !isUnseen && { alreadyPaidHash: paid.hash }),
    },
    refusals: [
      by.id === to.id && 'own_request',
      !isOpenOf(to)(wallet) && 'funding_wallet_gone',
      isUnseen && 'already_paid',
      ...passedLimits(company, [{ minor }]),
    ],
    done({ id }) {
      const batch = newBatch(company, by, {
        id,
        isFunding: true,
        walletType: wallet.type,
        amountsBy: null,
        status: waits ? 'waits' : 'pending',
        lines: [newLine(to.id, wallet.id, minor)],
        seconds: 0,
      });
      if (waits) return;
      batch.uncount = oracle.countAlone('payroll', minor);
      pay(company, batch);
    },
  });
}

function newLine(personId: string, walletId: string, minor: bigint): ModelLine {
  const unpaid = { reversed: 0n, paidAt: null, isFailed: false, instalments: [] };
  return { id: null, personId, walletId, minor, ...unpaid };
}

function newBatch(
  { oracle, now }: Company,
  by: ModelPerson,
  {
    seconds,
    ...batch
  }: Pick<ModelBatch, 'id' | 'isFunding' | 'walletType' | 'amountsBy' | 'status' | 'lines'> & {
    seconds: number;
  },
): ModelBatch {
  const from = new Date(now().getTime() + seconds * 1_000);
  const made = {
    ...batch,
    sentBy: by.id,
    sentAt: now(),
    from,
    uncount: () => undefined,
    isApproved: false,
  };
  oracle.batches.set(batch.id, made);
  return made;
}

/**
 * Pays the lines of a batch on paper: each wallet gets its amount, and recoveries take their instalments. Whoever left
 * meanwhile is not paid.
 *
 * @returns the lines that are paid now
 */
function pay(company: Company, batch: ModelBatch): ModelLine[] {
  const { oracle } = company;
  const at = company.now();
  const undecided = batch.lines.filter(({ paidAt, isFailed }) => paidAt === null && !isFailed);
  for (const line of undecided) {
    line.isFailed = oracle.person(line.personId).hasLeft || oracle.account(line.walletId).isClosed;
    if (line.isFailed) continue;
    oracle.post(line.walletId, batch.isFunding ? 'funding' : 'payroll', line.minor, at);
    line.paidAt = at;
    if (!batch.isFunding) takeInstalments(company, batch, line);
  }
  batch.status = batch.lines.some(({ paidAt }) => paidAt !== null) ? 'completed' : 'failed';
  return undecided.filter(({ isFailed }) => !isFailed);
}

/** True while lines of a batch are not decided. */
export function isOpenBatch({ status }: ModelBatch): boolean {
  return status === 'waits' || status === 'pending' || status === 'processing';
}

function takeInstalments(company: Company, batch: ModelBatch, line: ModelLine): void {
  const { oracle } = company;
  const due = [...oracle.recoveries.values()]
    .filter((one) => one.personId === line.personId && one.status === 'accepted')
    .filter((one) => one.walletType === batch.walletType && one.startsOn <= company.today())
    .toSorted((one, other) => one.id.localeCompare(other.id));
  let taken = 0n;
  for (const recovery of due) {
    const share = (line.minor * recovery.percent) / 100n - taken;
    const left = recovery.minor - recovery.recovered;
    const least = [recovery.instalment, left, share].toSorted((one, other) =>
      one < other ? -1 : one > other ? 1 : 0,
    )[0];
    if (least === undefined || least <= 0n) continue;
    taken += least;
    recovery.recovered += least;
    if (recovery.recovered === recovery.minor) recovery.status = 'finished';
    line.instalments.push({ recovery, minor: least, isGivenBack: false });
    oracle.post(line.walletId, 'recovery', -least, company.now());
  }
}

/** Sends the same amount to everybody who has an account of that type. */
async function sendUniform(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const by = anAdmin(company);
  const walletType = random.pick(['salary', 'salary', 'salary', 'savings']);
  const minor = BigInt(random.int(100, 300_000));
  const order = { walletType, department: 'all', amount: usd(minor), description: 'Pay' };
  const lines = [...oracle.people.values()].flatMap((person) => {
    const isPaid = person.isEmployee && !person.hasLeft;
    const wallet = isPaid ? oracle.accountOf(person.id, walletType) : undefined;
    return wallet?.isClosed === false ? [newLine(person.id, wallet.id, minor)] : [];
  });
  const path = '/api/admin/payroll/preview';
  const read = await ask<PayrollPreview>(company, by, 'POST', path, order);
  if (lines.length === 0) {
    if ((read as { code?: string }).code === 'no_wallets_of_type') return null;
    throw new Error(`a payroll to nobody was previewed: ${JSON.stringify(read)}`);
  }
  if (isRefused(read, passedLimits(company, lines))) return null;
  const preview = expectReply(read, 'preview');
  return send(company, by, { preview, lines, walletType, amountsBy: null, order, path: BATCHES });
}

/** Sends a draft in which each of some people has an amount of their own. */
async function sendDraft(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const [maker, by] = [anAdmin(company), anAdmin(company)];
  const people = [...oracle.people.values()].filter((one) => one.isEmployee && random.chance(0.6));
  if (people.length === 0) return null;
  const drafts = '/api/admin/payroll/drafts';
  const made = await ask<RouteReply<'adminCreatePayrollDraft'>>(company, maker, 'POST', drafts, {
    walletType: 'salary',
    department: 'all',
    payOn: null,
    description: 'Own amounts',
    hasOwnAmounts: true,
    amount: null,
  });
  const { id, version } = expectReply(made, 'draft');
  const amounts = people.map((person) => ({ person, minor: BigInt(random.int(100, 300_000)) }));
  const saved = await ask<RouteReply<'adminSavePayrollDraft'>>(
    company,
    maker,
    'PUT',
    `${drafts}/${id}`,
    {
      version,
      people: amounts.map(({ person, minor }) => ({ id: person.id, amount: usd(minor) })),
    },
  );
  expectReply(saved, 'saved draft');
  const lines = amounts.flatMap(({ person, minor }) => {
    const wallet = person.hasLeft ? undefined : oracle.accountOf(person.id, 'salary');
    return wallet === undefined ? [] : [newLine(person.id, wallet.id, minor)];
  });
  const read = await ask<PayrollPreview>(company, by, 'POST', `${drafts}/${id}/preview`);
  if (lines.length === 0) {
    if ((read as { code?: string }).code === 'no_employees_in_department') return null;
    throw new Error(`a draft that pays nobody was previewed: ${JSON.stringify(read)}`);
  }
  return send(company, by, {
    preview: expectReply(read, 'preview of a draft'),
    lines,
    order: {},
    walletType: 'salary',
    amountsBy: maker.id,
    path: `${drafts}/${id}/send`,
  });
}

interface Sent {
  preview: PayrollPreview;
  lines: ModelLine[];
  walletType: ModelBatch['walletType'];
  amountsBy: string | null;
  order: object;
  path: string;
}

async function send(
  company: Company,
  by: ModelPerson,
  { preview, lines, walletType, amountsBy, order, path }: Sent,
): Promise<Attempt> {
  const { oracle, random } = company;
  const total = lines.reduce((sum, { minor }) => sum + minor, 0n);
  const shown = [preview.payableCount, preview.total];
  if (!isDeepStrictEqual(shown, [lines.length, usd(total)])) {
    throw new Error(
      `the preview pays ${JSON.stringify(shown)}, the oracle ${lines.length}, ${total}`,
    );
  }
  const groups = preview.differences?.groups ?? [];
  const isAcknowledged = random.chance(0.85);
  if (isAcknowledged) await acknowledge(company, by, preview);
  const isStale = random.chance(0.08);
  const isUnseen = preview.alreadyPaid !== null && random.chance(0.08);
  const hasSeen = groups.every(({ acknowledged }) => acknowledged.some(({ isMine }) => isMine));
  const waits = oracle.takesTwo('payroll', total);
  return attempt<PayrollBatch>({
    by,
    path,
    confirms: true,
    pays: { minor: total, to: lines.map(({ personId }) => personId) },
    body: {
      ...order,
      previewHash: isStale ? 'ab'.repeat(32) : preview.hash,
      ...(preview.alreadyPaid !== null &&
        !isUnseen && { alreadyPaidHash: preview.alreadyPaid.hash }),
    },
    refusals: [
      isStale && 'preview_stale',
      isUnseen && 'already_paid',
      ...passedLimits(company, lines),
      !isAcknowledged && !hasSeen && 'differences_not_acknowledged',
    ],
    done({ id }) {
      const batch = newBatch(company, by, {
        id,
        isFunding: false,
        walletType,
        amountsBy,
        lines,
        status: waits ? 'waits' : 'pending',
        seconds: oracle.rules.payrollCancelSeconds,
      });
      if (waits) return;
      batch.uncount = oracle.countAlone('payroll', total);
    },
  });
}

async function acknowledge(
  company: Company,
  by: ModelPerson,
  { hash, differences }: Pick<PayrollPreview, 'hash' | 'differences'>,
): Promise<void> {
  const path = '/api/admin/payroll/acknowledgements';
  for (const { group } of differences?.groups ?? []) {
    const body = { hash, group, isAcknowledged: true };
    expectReply(await ask(company, by, 'PUT', path, body), 'acknowledgement');
  }
}

async function approve(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const batch = pickMostly(company, oracle.batches.values(), ({ status }) => status === 'waits');
  if (batch === null) return null;
  const by = anAdmin(company);
  const path = `${BATCHES}/${batch.id}`;
  const read = await ask<RouteReply<'adminGetPayrollDifferences'>>(
    company,
    by,
    'GET',
    `${path}/differences`,
  );
  const compared = expectReply(read, 'differences of a batch');
  const isAcknowledged = random.chance(0.9);
  if (isAcknowledged) await acknowledge(company, by, compared);
  const groups = compared.differences?.groups ?? [];
  const hasSeen = groups.every(({ acknowledged }) => acknowledged.some(({ isMine }) => isMine));
  const total = batch.lines.reduce((sum, { minor }) => sum + minor, 0n);
  const isAlone = oracle.isAlone(by, [batch.sentBy, batch.amountsBy]);
  return attempt({
    by,
    path: `${path}/approve`,
    confirms: true,
    refusals: [
      batch.status !== 'waits' && 'payroll_wrong_status',
      isAlone && oracle.takesTwo('payroll', total) && 'second_person_needed',
      batch.status === 'waits' && !isAcknowledged && !hasSeen && 'differences_not_acknowledged',
      ...(batch.status === 'waits' ? passedLimits(company, batch.lines) : []),
    ],
    done() {
      batch.status = 'pending';
      batch.isApproved = true;
      const seconds = batch.isFunding ? 0 : oracle.rules.payrollCancelSeconds;
      batch.from = new Date(company.now().getTime() + seconds * 1_000);
      if (!isAlone) return;
      batch.uncount = oracle.countAlone('payroll', total);
    },
  });
}

/** True for a payroll that was sent without a time in which it could be stopped. */
function isSending({ status, isFunding, from, sentAt, isApproved }: ModelBatch): boolean {
  return status === 'pending' && !isFunding && !isApproved && from.getTime() === sentAt.getTime();
}

function endBatch(company: Company): Attempt | null {
  const { oracle, random } = company;
  const act = random.pick(['decline', 'stop']);
  const from = act === 'decline' ? 'waits' : 'pending';
  const batch = pickMostly(company, oracle.batches.values(), ({ status }) => status === from);
  if (batch === null) return null;
  const isSent = ['processing', 'completed', 'failed'].includes(batch.status);
  return attempt({
    by: anAdmin(company),
    path: `${BATCHES}/${batch.id}/${act}`,
    ...(act === 'decline' && { body: REASON }),
    refusals: [
      batch.status !== from && 'payroll_wrong_status',
      act === 'stop' && (isSent || isSending(batch)) && 'payroll_already_sent',
    ],
    done() {
      batch.status = 'ended';
      batch.uncount();
    },
  });
}

/** The jobs of the queue: pays each batch that is due, and runs the automatic transfers after its lines. */
async function payDue(company: Company): Promise<null> {
  const { app, oracle } = company;
  company.pass(2);
  const services = { clock: { now: company.now } };
  for (const batch of oracle.batches.values()) {
    if (batch.status !== 'pending' && batch.status !== 'processing') continue;
    await postPayroll(app.db, services, batch.id);
    const paid = pay(company, batch);
    await readLineIds(company, batch);
    await runTransfers(app.db, services);
    if (!batch.isFunding) await noteRuns(company, paid);
  }
  return null;
}

export const payrollMoves: readonly Move[] = [
  { weight: 7, make: fund },
  { weight: 4, make: sendUniform },
  { weight: 4, make: sendDraft },
  { weight: 4, make: approve },
  { weight: 2, make: endBatch },
  { weight: 8, make: payDue },
  ...lineMoves,
];
