import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { StatementFormat } from './statements/read-statement-file.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { refusing } from '#server/modules/ledger/index.ts';
import type { StatementLine, StatementPart } from './statements/statement.ts';

/** A line with what distinguishes it on its account. */
export interface IdentifiedLine extends StatementLine {
  /** The bank's reference, or a hash of the text where it has none. */
  readonly identity: string;
  /** 1, 2, ... of lines of one day, amount and identity. */
  readonly sameNumber: number;
  /** All of that as one text. */
  readonly key: string;
}

/**
 * Identifies lines by day, amount and the bank's reference; those without a reference by their words. Lines that are alike
 * are numbered in the order of the file, so that two equal payments of a day are two, also in the next file that has them.
 */
export function identified(lines: readonly StatementLine[]): IdentifiedLine[] {
  const counts = new Map<string, number>();
  return lines.map((line) => {
    const identity = line.bankReference ?? `#${hashOf(line)}`;
    const alike = JSON.stringify([line.bookingDay, String(line.amountMinor), identity]);
    const sameNumber = (counts.get(alike) ?? 0) + 1;
    counts.set(alike, sameNumber);
    return { ...line, identity, sameNumber, key: `${alike}${sameNumber}` };
  });
}

function hashOf({ text, counterparty, endToEndReference, trace }: StatementLine): string {
  const words = JSON.stringify([text, counterparty, endToEndReference, trace]);
  return createHash('sha256').update(words).digest('base64url').slice(0, 22);
}

/** Keys of those lines that an earlier statement of the account has. */
export async function knownLines(
  reader: Reader,
  accountId: string,
  lines: readonly IdentifiedLine[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ index: number }>`
    SELECT (asked.index - 1)::int AS index
      FROM unnest(${lines.map((line) => line.bookingDay)}::date[],
                  ${lines.map((line) => String(line.amountMinor))}::bigint[],
                  ${lines.map((line) => line.identity)}::text[],
                  ${lines.map((line) => line.sameNumber)}::int[])
           WITH ORDINALITY AS asked (day, amount, identity, same_number, index)
      JOIN bank_line AS line ON line.account_id = ${accountId} AND line.booked_on = asked.day
           AND line.amount_minor = asked.amount AND line.identity = asked.identity
           AND line.same_number = asked.same_number`.execute(reader);
  return new Set(rows.map(({ index }) => lines[index]?.key ?? ''));
}

interface NewStatement {
  id: string;
  accountId: string;
  number: number;
  format: StatementFormat;
  fileName: string;
  fileHash: Buffer;
  from: string;
  to: string;
  lines: readonly IdentifiedLine[];
  known: number;
  openingMinor: bigint;
  closingMinor: bigint;
  /** Difference of the bank's first balance from what was owed; zero writes no line. */
  differenceMinor: bigint;
  by: string;
  at: Date;
}

/** Lines of one statement of SQL: some megabytes of JSON. */
const LINES_EACH = 10_000;

/**
 * Writes a statement with its new lines.
 *
 * @returns SHA-256 of the payments that its lines are made of, as hex; empty if it has none
 * @throws {AppError} `month_closed` where one was booked in a closed month
 */
export async function insertStatement(tx: Tx, statement: NewStatement): Promise<string> {
  const { id, accountId, number, format, fileName, fileHash, from, to, lines, known, at } =
    statement;
  await tx
    .insertInto('bankStatement')
    .values({
      id,
      accountId,
      number,
      format,
      fileName,
      fileHash,
      fromDay: from,
      toDay: to,
      openingMinor: statement.openingMinor,
      closingMinor: statement.closingMinor,
      lineCount: lines.length,
      knownCount: known,
      importedBy: statement.by,
      importedAt: at,
    })
    .execute();
  const { differenceMinor } = statement;
  if (differenceMinor !== 0n) {
    const difference = {
      id: newId(at.getTime()),
      accountId,
      statementId: id,
      position: 0,
      bookedOn: from,
      amountMinor: differenceMinor,
      identity: 'opening',
      sameNumber: 1,
      isReversal: false,
      text: 'Opening balance less what was owed then',
    };
    await refusing(tx.insertInto('bankLine').values(difference).execute());
  }
  for (let start = 0; start < lines.length; start += LINES_EACH) {
    const part = lines
      .slice(start, start + LINES_EACH)
      .map((line) => ({ line, id: newId(at.getTime()) }));
    const rows = part.map(
      ({ id: lineId, line: { place: _place, parts: _parts, key: _key, ...line } }, index) => ({
        ...line,
        id: lineId,
        position: start + index + 1,
        amountMinor: String(line.amountMinor),
      }),
    );
    await refusing(
      sql`
        INSERT INTO bank_line (id, account_id, statement_id, position, booked_on, value_on, amount_minor, identity,
                               same_number, bank_reference, end_to_end_reference, trace, batch_reference, text,
                               counterparty, is_reversal)
        SELECT id, ${accountId}, ${id}, position, "bookingDay", "valueDay", "amountMinor", identity, "sameNumber",
               "bankReference", "endToEndReference", trace, "batchReference", text, counterparty, "isReversal"
          FROM json_to_recordset(${JSON.stringify(rows)}::json) AS line (
            id uuid, position integer, "bookingDay" date, "valueDay" date, "amountMinor" bigint, identity text,
            "sameNumber" integer, "bankReference" text, "endToEndReference" text, trace text,
            "batchReference" text, text text, counterparty text, "isReversal" boolean)
         ORDER BY position`.execute(tx),
    );
    await insertParts(
      tx,
      part.flatMap(({ id: lineId, line }) =>
        line.parts.map((one, index) => ({
          ...one,
          lineId,
          position: index + 1,
          amountMinor: one.amountMinor === null ? null : String(one.amountMinor),
        })),
      ),
    );
  }
  if (lines.every(({ parts }) => parts.length === 0)) return '';
  const { rows } = await sql<{ digest: string }>`
    SELECT digest FROM bank_part_digests() WHERE statement_id = ${id}`.execute(tx);
  return invariant(rows[0], 'parts without a digest').digest;
}

interface PartRow extends Omit<StatementPart, 'amountMinor'> {
  lineId: string;
  position: number;
  amountMinor: string | null;
}

async function insertParts(tx: Tx, parts: readonly PartRow[]): Promise<void> {
  if (parts.length === 0) return;
  await sql`
    INSERT INTO bank_line_part (line_id, position, amount_minor, end_to_end_reference, trace, text, counterparty)
    SELECT "lineId", position, "amountMinor", "endToEndReference", trace, text, counterparty
      FROM json_to_recordset(${JSON.stringify(parts)}::json) AS part (
        "lineId" uuid, position integer, "amountMinor" bigint, "endToEndReference" text, trace text, text text,
        counterparty text)`.execute(tx);
}
