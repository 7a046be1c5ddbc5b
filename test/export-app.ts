import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { RouteName, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { withTx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { withdrawalActs, requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { openTestApp } from './app.ts';
import { makeBusyCompany } from './busy-company.ts';
import type { BusyCompany } from './busy-ids.ts';
import type { ExpectedCells } from './export-columns.ts';
import { createPayee, withdrawalOf } from './factories/money.ts';
import { fundAsSeen } from './factories/payroll.ts';
import { payoutSteps } from './factories/payouts.ts';
import { createAdmin } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { IMPORT_HEADER, IMPORT_PATH } from './import-app.ts';
import { readExport } from './read-export.ts';

/** The company's day. */
export const DAY = '2026-12-08';
/** Name of a person that a spreadsheet would take for a formula. */
export const TRAP = '=HYPERLINK';

type Cells = Readonly<Record<string, string>>;

/** A company in which everything has happened, and those who read its lists and exports over HTTP. */
export interface ExportApp {
  company: BusyCompany;
  /** Import of employees with rows of every outcome. */
  importId: string;
  read: <Name extends RouteName>(
    name: Name,
    path: string,
    query?: object,
  ) => Promise<RouteReply<Name>>;
  send: <Reply>(method: string, path: string, body?: object) => Promise<Reply>;
  /** Rows of an export by the names of its columns. */
  exported: (name: RouteName, path: string, query?: object) => Promise<Cells[]>;
  close: () => Promise<void>;
}

/** Exports are read in chunks of four rows meanwhile. */
export async function openExportApp(): Promise<ExportApp> {
  const { chunkRows } = LIMITS.exports;
  Object.assign(LIMITS.exports, { chunkRows: 4 });
  const { clock } = createTestServices(`${DAY}T15:00:00.000Z`);
  const purser = await openTestApp({ clock });
  const { db } = purser;
  const services = { ...purser.services, clock };
  const company = await makeBusyCompany(db, services);
  await setTraps();
  const reader = await createAdmin(db, services, { firstName: 'Ana', lastName: 'Reader' });
  const admin = await purser.cookieOf(reader);
  const employee = await purser.cookieOf(company.maya.by.actor);
  await payoutSteps(db, services, company.otherAdmin).enterBank({ payoutCoolingHours: 0 });
  const { id: importId } = await uploadPeople();

  /** A person with a formula for a name, and one in each text that people type. */
  async function setTraps(): Promise<void> {
    const by = company.otherAdmin;
    const payee = await createPayee(db, services, {
      admin: by,
      firstName: TRAP,
      lastName: 'A, "B"',
    });
    await withTx(db, async (tx) => {
      const request = withdrawalOf(payee, 1_000n, { reason: '+1;=2' });
      const { id } = await requestWithdrawal(tx, services, payee.by, request);
      await withdrawalActs.approve(tx, services, by, { id });
      const order = {
        walletId: payee.wallet.id,
        method: 'ach',
        amount: money(700n, 'USD'),
      } as const;
      await requestDeposit(tx, services, payee.by, order);
    });
    await fundAsSeen(db, services, by, {
      id: payee.by.actor.id,
      type: 'bonus',
      walletId: payee.wallet.id,
      description: '-1+2',
      amount: money(800n, 'USD'),
    });
  }

  async function uploadPeople(): Promise<{ id: string }> {
    const rows = [
      `${TRAP},trap@x.test,Sales`,
      'Ada Ray,ada@x.test,=Nowhere',
      'Bo Ray,bo@x.test,HR',
      'Bo Again,bo@x.test,HR',
      ',,Sales',
      'Cy Ray,cy@x.test,HR',
    ];
    const uploaded = await purser.ask('POST', `${IMPORT_PATH}?fileName=people.csv`, {
      cookie: admin,
      body: IMPORT_HEADER + rows.join('\r\n'),
      headers: { 'content-type': 'text/csv' },
    });
    expect(uploaded.status).toBe(201);
    return (await uploaded.json()) as { id: string };
  }

  async function get(name: RouteName, path: string, query: object): Promise<Response> {
    const search = new URLSearchParams(query as Record<string, string>);
    const cookie = ROUTES[name].access === 'admin' ? admin : employee;
    const response = await purser.ask('GET', `${path}?${search.toString()}`, { cookie });
    expect(response.status, `${name} ${search.toString()}`).toBe(200);
    return response;
  }

  return {
    company,
    importId,
    read: async <Name extends RouteName>(name: Name, path: string, query = {}) =>
      (await (await get(name, path, query)).json()) as RouteReply<Name>,
    async send<Reply>(method: string, path: string, body?: object) {
      const key = randomUUID();
      const request = { cookie: admin, key, ...(body !== undefined && { body }) };
      const response = await purser.ask(method, path, request);
      const text = await response.text();
      expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
      return JSON.parse(text) as Reply;
    },
    async exported(name, path, query = {}) {
      // Nobody exports as often within an hour.
      await db.deleteFrom('rateLimit').execute();
      return readExport(await (await get(name, path, query)).text());
    },
    async close() {
      Object.assign(LIMITS.exports, { chunkRows });
      await purser.close();
    },
  };
}

/** Those cells of an export in which it is compared with its list. */
export function cellsOf<Row>(
  rows: readonly Cells[],
  columns: ExpectedCells<Row>,
): Record<string, string | undefined>[] {
  return rows.map((row) =>
    Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])),
  );
}

/** Cells that rows of a list have in its export. */
export function expectedCells<Row>(rows: readonly Row[], columns: ExpectedCells<Row>): Cells[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, cell(row)])),
  );
}
