import { sql } from 'kysely';
import { journalKindWords } from '#contract/closing.ts';
import { money } from '#contract/money.ts';
import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { keptJournal } from './journal.ts';
import type { JournalLine, MonthSpan } from './journal.ts';

type Changed = RouteReply<'adminGetMonth'>['changed'];

interface Former {
  id: string;
  closedAt: Date;
  closedBy: string;
  reopenedAt: Date;
  reopenedBy: string;
  proposedBy: string;
  reason: string;
}

/** The journal's lines that are not as they were when the month was closed before; null where it never was. */
export async function changedSince(
  reader: Reader,
  { month: { month, currency }, lines }: { month: MonthSpan; lines: readonly JournalLine[] },
): Promise<Changed> {
  const { rows } = await sql<Former>`
    SELECT closing.id, closed_at, closer.name AS closed_by, reopened_at, opener.name AS reopened_by,
           proposer.name AS proposed_by, proposal.reason
      FROM month_closing AS closing
      JOIN app_user AS closer ON closer.id = closing.closed_by
      JOIN app_user AS opener ON opener.id = closing.reopened_by
      JOIN security_proposal AS proposal ON proposal.id = closing.reopened_for
      JOIN app_user AS proposer ON proposer.id = proposal.proposed_by
     WHERE month = ${month}::date ORDER BY reopened_at DESC, closing.id DESC LIMIT 1`.execute(
    reader,
  );
  const [former] = rows;
  if (former === undefined) return null;
  const before = await keptJournal(reader, former.id);
  const keyOf = ({ kind, account, department }: JournalLine) =>
    JSON.stringify([kind, account, department]);
  const nowBy = new Map(lines.map((line) => [keyOf(line), line]));
  const beforeBy = new Map(before.map((line) => [keyOf(line), line]));
  const all = [...lines, ...before.filter((line) => !nowBy.has(keyOf(line)))];
  return {
    closedAt: former.closedAt.toISOString(),
    closedBy: former.closedBy,
    reopenedAt: former.reopenedAt.toISOString(),
    reopenedBy: former.reopenedBy,
    proposedBy: former.proposedBy,
    reason: former.reason,
    lines: all.flatMap((line) => {
      const [was, is] = [beforeBy.get(keyOf(line)), nowBy.get(keyOf(line))];
      const isSame = was?.debitMinor === is?.debitMinor && was?.creditMinor === is?.creditMinor;
      if (isSame) return [];
      return [
        {
          what: journalKindWords(line.kind, line.count).what,
          account: line.account,
          department: line.department,
          debitBefore: money(was?.debitMinor ?? 0n, currency),
          creditBefore: money(was?.creditMinor ?? 0n, currency),
          debit: money(is?.debitMinor ?? 0n, currency),
          credit: money(is?.creditMinor ?? 0n, currency),
        },
      ];
    }),
  };
}
