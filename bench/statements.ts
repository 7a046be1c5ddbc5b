import type { RouteReply } from '#contract/api.ts';
import { addDays } from '#contract/calendar.ts';
import { STATEMENT_MAX_LINES } from '#server/modules/company-bank/index.ts';
import { BANK_DAY, csvStatement } from '#test/bank-desk.ts';
import { ask, unsafeHeaders } from './http.ts';
import { makeListCompany } from './lists-company.ts';
import { measured } from './processor-time.ts';
import { atMost, conclude, seconds } from './report.ts';
import type { Figure } from './report.ts';
import { serveMade } from './serve-made.ts';
import { slowestOf } from './timing.ts';
import type { Case } from './timing.ts';

const COMPANY = { people: 20_000, entries: 200_000 };
const PATH = '/api/admin/company-bank';
/** Maximum for a statement of 50,000 lines, checked and imported. */
const MOST_IMPORT_S = 10;
const MOST_READ_MS = 100;
const ROUNDS = 20;
/** First day of the first statement: before everything that the company did. */
const FIRST_DAY = addDays(BANK_DAY, -400);
/** Amounts of lines that are no item, in turn. */
const AMOUNTS = 5_000;

type Row = readonly [text: string, minor: bigint];
type Bank = RouteReply<'adminGetCompanyBank'>;

/**
 * Imports two statements of 50,000 lines over HTTP, one that no item is known for and one of which Purser matches 20,000
 * lines by reference, and times the reads of Company Bank with the open lines.
 *
 * @returns true if all of it met its target
 */
export async function benchStatements(say: (sentence: string) => void): Promise<boolean> {
  say(`Making a company of ${COMPANY.people} people.`);
  await using served = await serveMade(
    (database, address) => makeListCompany(database, { ...COMPANY, url: address }),
    { fsync: true },
  );
  const { url, made, server, database } = served;
  const cookie = made.cookies.admin;
  const body = { bankName: 'Northgate', label: 'Employee funds', number: 'DE89370400440532013000' };
  const account = await ask<{ id: string }>(url, `${PATH}/accounts`, cookie, JSON.stringify(body));
  const place = `${PATH}/accounts/${account.id}`;
  const roots = [server.pid, database.pid];
  const send = async <Reply>(path: string, file: string): Promise<Reply> => {
    const headers = { ...unsafeHeaders(url, cookie), 'content-type': 'text/csv' };
    const response = await fetch(url + path, { method: 'POST', headers, body: file });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Reply;
  };
  const load = async (file: string) => {
    const { hash } = await send<{ hash: string }>(`${place}/statement-check`, file);
    return send<RouteReply<'adminImportStatement'>>(`${place}/statements?hash=${hash}`, file);
  };

  const unknown = Array.from({ length: STATEMENT_MAX_LINES }, (_, n): Row => [
    `LOCKBOX ITEM ${n}`,
    BigInt(((n % AMOUNTS) + 1) * 7),
  ]);
  say(`Importing ${STATEMENT_MAX_LINES} lines that no item is known for.`);
  const first = await measured(roots, () => load(csvStatement(0n, unknown, FIRST_DAY)));
  const known = await database.db
    .selectFrom('deposit')
    .select(['reference', 'amountMinor'])
    .where('status', '=', 'approved')
    .execute();
  const closing = unknown.reduce((sum, [, minor]) => sum + minor, 0n);
  const rest = unknown.slice(known.length).map(([text, minor]): Row => [`${text} AGAIN`, minor]);
  const named = known.map(({ reference, amountMinor }): Row => [
    `ACH CREDIT ${reference}`,
    amountMinor,
  ]);
  say(`Importing ${STATEMENT_MAX_LINES} lines, ${named.length} of them with a reference.`);
  const second = await measured(roots, () => load(csvStatement(closing, [...named, ...rest])));
  await database.settle();

  const { statements, position } = await ask<Bank>(url, PATH, cookie);
  const statementId = statements[0]?.id ?? '';
  const { lines } = await ask<RouteReply<'adminListBankLines'>>(url, `${PATH}/lines`, cookie);
  const params = { id: lines[0]?.id ?? '' };
  const reads: Case[] = [
    { name: 'adminGetCompanyBank', what: `${position.openLines} open lines`, input: {} },
    { name: 'adminListBankLines', what: 'all that are open', input: {} },
    { name: 'adminListBankLines', what: 'of a statement', input: { query: { statementId } } },
    { name: 'adminListBankLines', what: 'a search', input: { query: { search: 'item 4999' } } },
    { name: 'adminFindBankItems', what: 'of the amount', input: { params } },
    {
      name: 'adminFindBankItems',
      what: 'a search',
      input: { params, query: { search: 'ann' } },
    },
  ];
  const figures: Figure[] = [
    atMost('Import, no item known', first.tookMs / 1_000, MOST_IMPORT_S, ' s'),
    { what: 'Its processor time', measured: seconds(first.processorMs) },
    atMost(`Import, ${second.result.matched} matched`, second.tookMs / 1_000, MOST_IMPORT_S, ' s'),
    { what: 'Its processor time', measured: seconds(second.processorMs) },
  ];
  const asker = { url, cookie };
  for (const one of reads) figures.push(await slowestOf(asker, one, ROUNDS, MOST_READ_MS));
  return conclude(figures, say);
}
