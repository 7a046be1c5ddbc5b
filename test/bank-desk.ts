import { expect } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { decimalAmount, money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import type { TestApp } from './app.ts';
import type { TestPerson } from './factories/people.ts';

type Bank = RouteReply<'adminGetCompanyBank'>;
export type BankLine = RouteReply<'adminListBankLines'>['lines'][number];
type Check = RouteReply<'adminCheckStatement'>;
/** Text and amount of a line, in minor units. */
type Row = readonly [text: string, minor: bigint];

const PATH = '/api/admin/company-bank';
export const BANK_DAY = dayIn('America/New_York', new Date());

/** Company Bank over HTTP, as one story: each statement goes on where the one before ended. */
export class BankDesk {
  readonly #app: TestApp;
  readonly #cookie: string;
  /** Closing balance of the last statement, in minor units. */
  closing = 0n;
  accountId = '';

  constructor(app: TestApp, cookie: string) {
    this.#app = app;
    this.#cookie = cookie;
  }

  async send<T>(
    method: string,
    path: string,
    body?: unknown,
    type?: string,
  ): Promise<T & { code?: string }> {
    const reply = await this.#app.ask(method, `${PATH}${path}`, {
      cookie: this.#cookie,
      ...(body !== undefined && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
    return (await reply.json()) as T & { code?: string };
  }

  /** Adds an account of the company, of which statements are then imported. */
  async addAccount(number: string): Promise<void> {
    const account = { bankName: 'Northgate', label: 'Employee funds', number };
    this.accountId = (await this.send<{ id: string }>('POST', '/accounts', account)).id;
  }

  bank() {
    return this.send<Bank>('GET', '');
  }

  async lines(query = '') {
    return (await this.send<{ lines: BankLine[] }>('GET', `/lines${query}`)).lines;
  }

  check(file: string, query = '') {
    const path = `/accounts/${this.accountId}/statement-check?${query}`;
    return this.send<Check>('POST', path, file, 'text/csv');
  }

  async load(file: string, query = '') {
    const { hash } = await this.check(file, query);
    const path = `/accounts/${this.accountId}/statements?fileName=northgate.csv&hash=${hash}&${query}`;
    return this.send<{ lines: number; known: number; matched: number }>(
      'POST',
      path,
      file,
      'text/csv',
    );
  }

  /** Imports lines of today, with the balances after them. */
  async book(rows: readonly Row[], query = '') {
    const file = csvStatement(this.closing, rows);
    const loaded = await this.load(file, query);
    if (loaded.code === undefined) this.closing += rows.reduce((sum, [, minor]) => sum + minor, 0n);
    return { ...loaded, file };
  }

  /** The line with that text, which has no match. */
  async open(text: string): Promise<BankLine> {
    const found = (await this.lines()).find((line) => line.text === text);
    if (found === undefined) throw new Error(`no open line ${text}`);
    return found;
  }

  match(line: Pick<BankLine, 'id'>, items: readonly object[], more: object = {}) {
    return this.send<BankLine>('POST', `/lines/${line.id}/match`, { items, ...more });
  }

  unmatch({ id }: Pick<BankLine, 'id'>) {
    return this.send<BankLine>('POST', `/lines/${id}/unmatch`);
  }

  /** Items that a line could be. */
  async candidates({ id }: Pick<BankLine, 'id'>, search = '') {
    const path = `/lines/${id}/items?search=${encodeURIComponent(search)}`;
    return (await this.send<{ candidates: BankLine['matchedWith'] }>('GET', path)).candidates;
  }
}

/** Expects that at the bank, on its way and owed make the difference, and that it is the sum of the lines without a match. */
export async function expectSum(desk: BankDesk, differenceMinor: bigint) {
  const { position } = await desk.bank();
  const { atBank, onItsWay, owed, difference } = position;
  const [at, way, owes] = [atBank?.amount, onItsWay?.amount, owed.amount].map((one) =>
    BigInt(one?.minor ?? 0),
  );
  expect((at ?? 0n) + (way ?? 0n) - (owes ?? 0n)).toBe(BigInt(difference?.minor ?? 0));
  expect(difference?.minor).toBe(String(differenceMinor));
  const open = await desk.lines();
  expect(open.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n)).toBe(differenceMinor);
  const groups = onItsWay?.groups ?? [];
  expect(groups.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n)).toBe(way);
  return position;
}

/** Requests a deposit into a wallet of a person, and has it approved where the test says so. */
export async function depositInto(
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  of: { owner: CommandContext; wallet: { id: string }; admin: Pick<TestPerson, 'by'> },
  { minor, isApproved }: { minor: bigint; isApproved: boolean },
) {
  return withTx(db, async (tx) => {
    const amount = money(minor, 'USD');
    const order = { walletId: of.wallet.id, method: 'ach', amount } as const;
    const asked = await requestDeposit(tx, services, of.owner, order);
    if (isApproved) await depositActs.approve(tx, services, of.admin.by, { id: asked.id });
    return asked;
  });
}

/** A CSV file of rows, with the balances after them. */
export function csvStatement(openingMinor: bigint, rows: readonly Row[], day = BANK_DAY): string {
  let balance = openingMinor;
  const written = rows.map(([text, minor]) => {
    balance += minor;
    return `${day},"${text}",${decimalAmount(minor)},${decimalAmount(balance)}`;
  });
  return ['Date,Description,Amount,Balance', ...written].join('\n');
}
