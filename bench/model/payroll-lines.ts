import type { RouteReply } from '#contract/api.ts';
import { addDays } from '#contract/calendar.ts';
import { anAdmin, attempt, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import type { ModelBatch, ModelLine, ModelRecovery } from './things.ts';
import { ownerMostly } from './requests.ts';

const REASON = { reason: 'A reason that is long enough' };
const REVERSAL = { reason: 'paid_twice', message: 'This was paid before.' } as const;

/** Reads the ids of the lines of a paid batch, by which they are taken back. */
export async function readLineIds({ app }: Company, batch: ModelBatch): Promise<void> {
  if (batch.lines.every(({ id }) => id !== null)) return;
  const rows = await app.db
    .selectFrom('payrollLine')
    .select(['id', 'userId', 'status'])
    .where('batchId', '=', batch.id)
    .where('walletId', 'is not', null)
    .execute();
  for (const line of batch.lines) {
    const row = rows.find(({ userId }) => userId === line.personId);
    const wanted = line.isFailed ? 'failed' : 'processed';
    if (row?.status !== wanted) throw new Error(`a line of ${batch.id} is ${row?.status}`);
    line.id = row.id;
  }
}

/** Amount of a line that is neither taken back nor recovered. */
function leftOf({ oracle }: Company, line: ModelLine): bigint {
  const recovered = [...oracle.recoveries.values()]
    .filter((one) => one.line === line)
    .reduce((sum, one) => sum + one.recovered, 0n);
  return line.minor - line.reversed - recovered;
}

function isRecovering({ oracle }: Company, line: ModelLine): boolean {
  const open = ['proposed', 'accepted'];
  return [...oracle.recoveries.values()].some(
    (one) => one.line === line && open.includes(one.status),
  );
}

function paidLines({ lines }: ModelBatch): ModelLine[] {
  return lines.filter(({ paidAt }) => paidAt !== null);
}

/** A paid line with its batch, and what keeps an administrator from taking it back. */
async function aPaidLine(company: Company) {
  const { oracle } = company;
  const paid = [...oracle.batches.values()].filter(({ status }) => status === 'completed');
  const batch = pickOne(company, paid.slice(-6));
  if (batch === null) return null;
  await readLineIds(company, batch);
  const line = pickOne(company, paidLines(batch));
  if (line === null || line.id === null) return null;
  const by = anAdmin(company);
  const left = leftOf(company, line);
  if (left <= 0n) return null;
  const isAlone = oracle.isAlone(by, [batch.sentBy]);
  const count = (minor: bigint) => {
    if (isAlone) oracle.countAlone('payroll', minor);
  };
  const refusals = [
    line.personId === by.id && 'own_request',
    isAlone && oracle.takesTwo('payroll', left) && 'second_person_needed',
    isRecovering(company, line) && 'recovery_open',
  ];
  return { batch, line, by, left, refusals, count };
}

async function reverse(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const found = await aPaidLine(company);
  if (found === null) return null;
  const { line, by, left, refusals, count } = found;
  const minor = random.pick([left, left, left / 2n + 1n, left + 1n]);
  const available = oracle.available(line.walletId);
  const carried = line.instalments.filter(({ isGivenBack }) => !isGivenBack);
  const deducted = carried.reduce((sum, one) => sum + one.minor, 0n);
  const most = available + (minor === left ? deducted : 0n);
  const isStale = random.chance(0.05);
  return attempt({
    by,
    path: `/api/admin/payroll/lines/${line.id}/reverse`,
    confirms: true,
    body: { ...REVERSAL, amount: usd(minor), left: usd(isStale ? left + 1n : left) },
    refusals: [
      ...refusals,
      isStale && 'conflict',
      minor > left && 'amount_invalid',
      minor > most && 'reversal_unfunded',
    ],
    done() {
      count(minor);
      if (minor === left) giveBack(company, line, carried);
      line.reversed += minor;
      oracle.post(line.walletId, 'reversal', -minor, company.now());
    },
  });
}

function giveBack(
  { oracle, now }: Company,
  line: ModelLine,
  carried: ModelLine['instalments'],
): void {
  for (const one of carried) {
    one.isGivenBack = true;
    one.recovery.recovered -= one.minor;
    if (one.recovery.status === 'finished') one.recovery.status = 'accepted';
    oracle.post(line.walletId, 'recovery', one.minor, now());
  }
}

/** Takes all lines of a payroll back that have their money. The others stay. */
async function reverseAll(company: Company): Promise<Attempt | null> {
  const { oracle, now } = company;
  const batch = pickMostly(
    company,
    oracle.batches.values(),
    ({ status }) => status === 'completed',
  );
  if (batch === null) return null;
  if (batch.status === 'completed') await readLineIds(company, batch);
  const by = anAdmin(company);
  const sum = paidLines(batch).reduce((all, { minor, reversed }) => all + minor - reversed, 0n);
  const isAlone = oracle.isAlone(by, [batch.sentBy]);
  const parts = paidLines(batch).flatMap((line) => {
    const minor = leftOf(company, line);
    const carried = line.instalments.filter(({ isGivenBack }) => !isGivenBack);
    const deducted = carried.reduce((all, one) => all + one.minor, 0n);
    const most = oracle.available(line.walletId) + deducted;
    const isKept = line.personId === by.id || isRecovering(company, line) || minor > most;
    return minor <= 0n || isKept ? [] : [{ line, minor, carried }];
  });
  return attempt<RouteReply<'adminReversePayroll'>>({
    by,
    path: `/api/admin/payroll/batches/${batch.id}/reverse`,
    confirms: true,
    isIdle: parts.length === 0,
    body: { ...REVERSAL, after: 0 },
    refusals: [
      batch.status !== 'completed' && 'payroll_not_completed',
      isAlone && oracle.takesTwo('payroll', sum) && 'second_person_needed',
    ],
    done({ count, total, kept }) {
      const taken = parts.reduce((all, { minor }) => all + minor, 0n);
      if (count !== parts.length || total.minor !== String(taken)) {
        throw new Error(`${count} lines, ${total.minor} taken back; the oracle ${taken}`);
      }
      const left = paidLines(batch).filter((line) => leftOf(company, line) > 0n);
      if (kept.length !== left.length - count) throw new Error(`${kept.length} lines are kept`);
      for (const { line, minor, carried } of parts) {
        giveBack(company, line, carried);
        line.reversed += minor;
        oracle.post(line.walletId, 'reversal', -minor, now());
      }
      if (isAlone) oracle.countAlone('payroll', taken);
    },
  });
}

async function proposeRecovery(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const found = await aPaidLine(company);
  if (found === null || oracle.person(found.line.personId).hasLeft) return null;
  const { batch, line, by, left, refusals, count } = found;
  const available = oracle.available(line.walletId);
  const now = random.chance(0.5) ? 0n : random.pick([available, left / 3n]);
  if (now < 0n || now > left) return null;
  const rest = left - now;
  const instalment = rest / BigInt(random.int(1, 5)) + (random.chance(0.1) ? rest : 1n);
  const days = random.chance(0.05) ? 61 : random.int(0, 20);
  const startsOn = addDays(company.today(), random.int(0, 5));
  const answerBy = addDays(company.today(), days);
  const percent = random.pick([10, 25, 50, 100]);
  return attempt<RouteReply<'adminProposeRecovery'>>({
    by,
    path: `/api/admin/payroll/lines/${line.id}/recovery`,
    confirms: true,
    body: {
      ...REVERSAL,
      now: now === 0n ? null : usd(now),
      left: usd(left),
      instalment: usd(instalment),
      percent,
      startsOn,
      answerBy,
    },
    refusals: [
      ...refusals,
      (rest === 0n || instalment > rest) && 'amount_invalid',
      instalment === 0n && 'invalid_request',
      now > available && 'reversal_unfunded',
      days > 60 && 'recovery_terms',
    ],
    done({ id }) {
      if (now > 0n) {
        count(now);
        line.reversed += now;
        oracle.post(line.walletId, 'reversal', -now, company.now());
      }
      oracle.recoveries.set(id, {
        id,
        personId: line.personId,
        line,
        walletType: batch.walletType,
        minor: rest,
        status: 'proposed',
        recovered: 0n,
        instalment,
        percent: BigInt(percent),
        startsOn,
        answerBy,
      });
    },
  });
}

function answerRecovery(company: Company): Attempt | null {
  const { oracle, random } = company;
  const all = oracle.recoveries.values();
  const recovery = pickMostly(company, all, ({ status }) => status === 'proposed');
  if (recovery === null) return null;
  const by = ownerMostly(company, recovery.personId);
  const act = random.chance(0.85) ? 'accept' : 'decline';
  return attempt({
    by,
    path: `/api/recoveries/${recovery.id}/${act}`,
    confirms: act === 'accept',
    refusals: [
      by.id !== recovery.personId && 'recovery_not_found',
      recovery.status !== 'proposed' && 'recovery_wrong_status',
      act === 'accept' && recovery.answerBy < company.today() && 'recovery_late',
    ],
    done: () => {
      recovery.status = act === 'accept' ? 'accepted' : 'declined';
    },
  });
}

function endRecovery(company: Company): Attempt | null {
  const { oracle } = company;
  const isOpen = ({ status }: ModelRecovery) => status === 'proposed' || status === 'accepted';
  const recovery = pickMostly(company, oracle.recoveries.values(), isOpen);
  if (recovery === null) return null;
  const by = anAdmin(company);
  return attempt({
    by,
    path: `/api/admin/recoveries/${recovery.id}/end`,
    body: REASON,
    refusals: [
      by.id === recovery.personId && 'own_request',
      !isOpen(recovery) && 'recovery_wrong_status',
    ],
    done: () => {
      recovery.status = 'ended';
    },
  });
}

/** Reversals of paid lines, and recoveries of what cannot be reversed. */
export const lineMoves: readonly Move[] = [
  { weight: 5, make: reverse },
  { weight: 1, make: reverseAll },
  { weight: 4, make: proposeRecovery },
  { weight: 4, make: answerRecovery },
  { weight: 1, make: endRecovery },
];
