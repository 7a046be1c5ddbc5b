import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#contract/calendar.ts';
import type { ListShape } from '#contract/list.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { cellsOf, DAY, expectedCells, openExportApp, TRAP } from '#test/export-app.ts';
import type { ExportApp } from '#test/export-app.ts';
import { EXPORT_COLUMNS, EXPORTED_LISTS } from '#test/export-columns.ts';
import type { ExpectedCells, ListExport } from '#test/export-columns.ts';
import { SCREEN_EXPORTS } from '#test/screen-exports.ts';

/**
 * Every export of the contract has the rows of the list that it is of: all of them, in the same order, with the same
 * names and money, whatever is searched, filtered and sorted.
 */
let app: ExportApp;
beforeAll(async () => {
  app = await openExportApp();
});
afterAll(() => app?.close());

/** Number of rows on a page, where a list has more than some. */
const PAGE_SIZES: Partial<Record<ListExport, number>> = {
  adminExportAudit: 100,
  adminExportTransactions: 25,
  adminExportEmployees: 10,
};

interface Page {
  items: unknown[];
  hasMore?: boolean;
  next?: string | null;
}

/** All rows of a view, page by page. */
async function listed(name: ListExport, at: string, view: object): Promise<unknown[]> {
  const { operations, paging } = EXPORTED_LISTS[name];
  const pageSize = PAGE_SIZES[name] ?? 4;
  const rows: unknown[] = [];
  let place: object = {};
  for (let page = 1; ; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page after another
    const found = (await app.read(operations.rows, at, { ...view, pageSize, ...place })) as Page;
    rows.push(...found.items);
    if (paging === 'cursor' ? found.next === null : found.hasMore === false) return rows;
    place = paging === 'cursor' ? { cursor: found.next } : { page: page + 1 };
  }
}

/** Address of the rows of each list that is of something. */
const placesOf = (name: ListExport): string[] => {
  const { operations } = EXPORTED_LISTS[name];
  const { path } = ROUTES[operations.rows];
  const ids: Partial<Record<ListExport, string[]>> = {
    adminExportPayrollLines: [app.company.batches.completed, app.company.batches.retried],
    adminExportImportRows: [app.importId],
  };
  return (ids[name] ?? ['']).map((id) => path.replace('{id}', id));
};

/** Columns whose words a list may be searched by. */
const SEARCHED = ['Employee', 'Employee ID', 'Reference', 'Description', 'Name', 'Payee', 'Batch'];
const MOST_SEARCHES = 6;

/** Queries of a list: each value of each filter, each order both ways, and words of its own rows. */
async function viewsOf(name: ListExport, at: string): Promise<Record<string, string>[]> {
  const { filters, sort }: ListShape = EXPORTED_LISTS[name];
  const all: Record<string, string> = {};
  const views: Record<string, string>[] = [{}];
  for (const [filter, declared] of Object.entries(filters)) {
    if (declared.kind === 'choice' && declared.values.includes('all')) all[filter] = 'all';
  }
  const each = (more: Record<string, string>) => views.push({ ...all, ...more });
  each({});
  for (const [filter, declared] of Object.entries(filters)) {
    if (declared.kind === 'choice') {
      for (const value of declared.values) each({ [filter]: value });
    }
    if (declared.kind === 'id') {
      for (const id of idsFor(filter)) each({ [filter]: id });
    }
  }
  if ('from' in filters) {
    each({ from: DAY, to: DAY });
    each({ from: addDays(DAY, 1) });
    each({ to: addDays(DAY, -1) });
  }
  if ('least' in filters) each({ least: '1000', most: '50000' });
  for (const column of sort?.columns ?? []) {
    for (const direction of ['asc', 'desc']) {
      views.push({ sort: column, direction });
      each({ sort: column, direction });
    }
  }
  if ('search' in filters) {
    const rows = await app.exported(name, `${at}/export`, all);
    const words = rows.flatMap((row) => SEARCHED.map((column) => row[column] ?? ''));
    const found = [...new Set(words.filter((word) => word.trim() !== ''))];
    const step = Math.max(1, Math.floor(found.length / MOST_SEARCHES));
    for (const [index, search] of found.entries()) if (index % step === 0) each({ search });
    for (const search of [TRAP, '%', 'nobody at all']) each({ search });
  }
  return views;
}

function idsFor(filter: string): string[] {
  const { maya, ben, withdrawals, admin } = app.company;
  if (filter === 'subject') return [withdrawals.completed];
  if (filter === 'by') return [admin.actor.id];
  return [maya.by.actor.id, ben.by.actor.id];
}

/** True for a row of the audit trail that is not there yet: an export of it has the record that it was begun. */
async function newRecords(): Promise<(row: Readonly<Record<string, string>>) => boolean> {
  const { items } = await app.read('adminListAudit', ROUTES.adminListAudit.path, { pageSize: 1 });
  const newest = BigInt(items[0]?.id ?? 0);
  return (row) => BigInt(row['Record'] ?? 0) > newest;
}

describe.each(Object.keys(EXPORT_COLUMNS) as ListExport[])('%s', (name) => {
  const columns = EXPORT_COLUMNS[name] as ExpectedCells<unknown>;

  it('has the rows of its list in every view', async () => {
    const { operations, filters } = EXPORTED_LISTS[name];
    const { count } = operations;
    let compared = 0;
    for (const at of placesOf(name)) {
      for (const view of await viewsOf(name, at)) {
        const what = `${name} ${JSON.stringify(view)}`;
        const isNew = name === 'adminExportAudit' ? await newRecords() : () => false;
        const rows = await listed(name, at, view);
        const all = await app.exported(name, `${at}/export`, view);
        const cells = all.filter((row) => !isNew(row));
        expect(cellsOf(cells, columns), what).toEqual(expectedCells(rows, columns));
        if (count !== null) {
          const filter = Object.entries(view).filter(([word]) => word in filters);
          const { total } = await app.read(count, `${at}/count`, Object.fromEntries(filter));
          expect(cells, what).toHaveLength(total);
        }
        compared += rows.length;
      }
    }
    // Views without a row would compare nothing.
    expect(compared).toBeGreaterThan(10);
  });
});

describe.each(Object.entries(SCREEN_EXPORTS))('%s', (_name, compare) => {
  it('has what its screen shows', async () => {
    expect(await compare(app)).toBeGreaterThan(2);
  });
});

it('every export of the contract is compared', () => {
  const exports = Object.entries(ROUTES).flatMap(([name, { reply }]) =>
    reply === 'csv' ? [name] : [],
  );
  const compared = [...Object.keys(EXPORT_COLUMNS), ...Object.keys(SCREEN_EXPORTS)];
  expect(compared.toSorted()).toEqual(exports.toSorted());
});
