import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { PAYOUT_FILES_SHOWN, PAYOUTS_SHOWN } from '#contract/payouts.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { readCameBack, readReturned } from './came-back.ts';
import { presentFileRow, selectFiles } from './file-rows.ts';
import { presentPayable, readPayables } from './payable.ts';
import { fileOf, isReady, Lots } from './ready.ts';
import type { Payable } from './payable.ts';
import type { Part } from './ready.ts';
import { readProfile } from './profile.ts';
import { findChangeFiles } from './returns/queries.ts';
import { sameDayNow } from './same-day.ts';

type Clocked = Pick<Services, 'clock'>;
type Query = RouteArguments<'adminGetPayouts'>['query'];

/** Payments that can leave now, those that cannot and why, and a page of the files. */
export async function getPayouts(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  { filesPage = 1, search = '', payees = 'all', on = 'all' }: Partial<Query> = {},
): Promise<RouteReply<'adminGetPayouts'>> {
  const settings = await readSettings(reader);
  const bank = readProfile(settings);
  const sameDay = bank && sameDayNow(settings, services.clock.now());
  const { ready, days, lots, held } = await readWaiting(
    readPayables(reader, services, { by, settings }),
    { search, payees, on },
  );
  const shown = (sum: Sum) => ({
    count: sum.count,
    total: money(sum.totalMinor, settings.currency),
  });
  const files = await selectFiles(reader)
    .orderBy('payoutFile.number', 'desc')
    .limit(PAYOUT_FILES_SHOWN)
    .offset((filesPage - 1) * PAYOUT_FILES_SHOWN)
    .execute();
  const now = services.clock.now();
  const waiting = await readAround(reader);
  const cameBack = await readReturned(reader, settings, now);
  const cameBackOf = await readCameBack(reader, files);
  const changes = await findChangeFiles(
    reader,
    held.first.flatMap(({ reason, bankAccountId }) =>
      reason === 'change' && bankAccountId !== null ? [bankAccountId] : [],
    ),
  );
  return {
    hasFiles: bank !== null,
    hasPrenotes: settings.bankAccountProof === 'prenote',
    hasMicroDeposits: settings.bankAccountProof === 'micro_deposits',
    bankName: bank?.profile.bankName ?? null,
    bankLast4: bank?.profile.accountNumber.slice(-4) ?? null,
    ready: lots
      .flatMap(({ first }) => first)
      .slice(0, PAYOUTS_SHOWN)
      .map(presentPayable),
    lots: lots.map(({ payees: to, effectiveOn, ...sum }) => ({
      payees: to,
      effectiveOn,
      ...shown(sum),
    })),
    readySum: shown(ready),
    readyWithdrawals: ready.withdrawal,
    readyPrenotes: ready.prenote,
    readyMicroDeposits: ready.micro_deposit,
    readyDays: [...days].toSorted(),
    held: held.first.map((payable) => {
      const { reason, refusal, bankAccountId } = payable;
      const changeFileId = changes.get(bankAccountId ?? '') ?? null;
      return { ...presentPayable(payable), reason, refusal, bankAccountId, changeFileId };
    }),
    heldSum: shown(held),
    onItsWay: money(waiting.minor, settings.currency),
    sentFiles: {
      count: waiting.sentCount,
      from: waiting.sentFrom,
      to: waiting.sentTo,
      number: waiting.sentCount === 1 ? fileNumber(waiting.sentNumber ?? 0) : null,
    },
    ...cameBack,
    openReturns: waiting.openReturns,
    openReturnsFileId: waiting.openReturnsFileId,
    coming: { withdrawals: waiting.pending, nextBillOn: waiting.nextBillOn },
    sameDay: sameDay && {
      until: sameDay.until.toISOString(),
      most: money(sameDay.mostMinor, settings.currency),
      on: sameDay.day,
    },
    files: files.map((row) => ({
      ...presentFileRow(row),
      cameBack: cameBackOf.get(row.id) ?? [],
    })),
    fileCount: waiting.files,
  };
}

/** Payments that were counted, without being kept. */
interface Sum {
  count: number;
  totalMinor: bigint;
}

/** Payments that were counted, with those that the page shows. */
interface Listed<Payment> extends Sum {
  first: Payment[];
}

function count<Payment extends Payable>(sum: Listed<Payment>, payable: Payment): void {
  sum.count += 1;
  sum.totalMinor += payable.amountMinor;
  if (sum.first.length < PAYOUTS_SHOWN) sum.first.push(payable);
}

/** Counts what is ready, in all and of a part, and what is held. */
async function readWaiting(chunks: AsyncIterable<Payable[]>, part: Part) {
  const nothing = <Payment>(): Listed<Payment> => ({ count: 0, totalMinor: 0n, first: [] });
  const kinds = { withdrawal: 0, bill: 0, prenote: 0, micro_deposit: 0 };
  const ready = { ...nothing<Payable>(), ...kinds };
  const held = nothing<Payable & { refusal: string }>();
  const days = new Set<string>();
  const lots = new Lots(nothing<Payable>);
  const isAsked = fileOf(part);
  for await (const chunk of chunks) {
    for (const payable of chunk) {
      const { inFile, refusal } = payable;
      if (isReady(payable)) {
        count(ready, payable);
        ready[payable.kind] += 1;
        days.add(payable.effectiveOn);
      } else if (inFile === null && refusal !== null) count(held, { ...payable, refusal });
      if (isAsked(payable)) count(lots.of(payable), payable);
    }
  }
  return { ready, days, lots: lots.inOrder(), held };
}

interface Around {
  /** Sum of what was sent and is not settled. */
  minor: bigint;
  sentCount: number;
  sentNumber: number | null;
  sentFrom: string | null;
  sentTo: string | null;
  files: number;
  openReturns: number;
  /** Id of the returns file with the oldest of them. */
  openReturnsFileId: string | null;
  pending: number;
  nextBillOn: string | null;
}

/** Facts around what is ready: what is on its way, what is to be decided, and what comes next. */
async function readAround(reader: Reader): Promise<Around> {
  const { rows } = await sql<Around>`
    SELECT coalesce(sum(item.amount_minor), 0)::bigint AS minor, count(DISTINCT item.file_id)::int AS sent_count,
           max(file.number) AS sent_number, to_char(min(item.effective_on), 'YYYY-MM-DD') AS sent_from,
           to_char(max(item.effective_on), 'YYYY-MM-DD') AS sent_to,
           (SELECT count(*)::int FROM payout_file) AS files,
           (SELECT count(*)::int FROM return_entry WHERE status IN ('unknown', 'proposed')) AS open_returns,
           (SELECT file_id FROM return_entry WHERE status IN ('unknown', 'proposed')
             ORDER BY moved_at, record_number LIMIT 1) AS open_returns_file_id,
           (SELECT count(*)::int FROM withdrawal WHERE status = 'pending') AS pending,
           (SELECT to_char(min(pay_on), 'YYYY-MM-DD') FROM bill WHERE status = 'scheduled') AS next_bill_on
      FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
     WHERE file.status = 'sent' AND item.is_live`.execute(reader);
  return invariant(rows[0], 'a sum gave no row');
}
