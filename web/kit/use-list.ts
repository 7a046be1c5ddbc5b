import { useNavigate, useSearch } from '@tanstack/react-router';
import type { UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteInput, RouteReply, RouteName, ListDeclaration } from '#contract/api.ts';
import { firstView, rangeProblem } from '#contract/list.ts';
import type { AddressOf, RangeProblem, ViewOf } from '#contract/list.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { addressOf, call, type LooseInput } from '#web/api/client.ts';
import { usePagedList, type PageReply } from '#web/api/paged-list.ts';
import { apiQuery } from '#web/api/query.ts';
import type { PagedList, PageSize, PageTarget } from '#web/lib/paged.ts';
import { readListAddress, writeListAddress } from '#web/lib/search.ts';

/** A row of a list, as the contract has it. */
export type RowOf<List extends ListDeclaration> =
  RouteReply<List['operations']['rows']> extends { items: (infer Row extends { id: string })[] }
    ? Row
    : never;

/** Most rows that are read for a selection of all. */
export const MAX_LOADED_ROWS = 5_000;

/** A list as a screen has it: its rows and its place in the address. */
export interface ListState<List extends ListDeclaration> {
  list: List;
  paged: PagedList<RowOf<List>>;
  /** Filters, sort and page from the address. */
  address: AddressOf<List>;
  /** The same without the page. */
  view: ViewOf<List>;
  /** A range that ends before it starts, which nothing is asked for; undefined where all are right. */
  problem: RangeProblem | undefined;
  /** True if filters show less than the list's first view. */
  isFiltered: boolean;
  /** Filters or sorts it and goes to its first page. `isTyping`: Back does not lead through each letter. */
  change: (changes: Partial<AddressOf<List>>, how?: { isTyping?: boolean }) => void;
  goTo: (target: PageTarget) => void;
  /** Reads every row that the filters match, page by page, and at most `MAX_LOADED_ROWS`. */
  loadAll: () => Promise<RowOf<List>[]>;
  /** Rows of a page, and the choice of another number; undefined where there is none. */
  size: PageSize | undefined;
  /** Address of the view as CSV; undefined if there is no export, or with a problem. */
  exportHref: string | undefined;
  /** The address has the view, so that it can be saved. */
  isOfScreen: boolean;
}

interface ListOptions {
  /** Prefix of the list's parameters in the address, where a screen has several. */
  prefix?: string;
  /** The path parameters of a list of something: whose rows they are. */
  params?: Record<string, string>;
  /** Asks again by itself so often, in milliseconds. */
  refetchInterval?: number | false;
  /**
   * Words that change with the thing whose rows they are. The rows are read again when they change, and for no event: of
   * a thing that is gone nothing is read.
   */
  stateOf?: string;
}

/** Binds a declared list to the address and to its operations. */
export function useList<List extends ListDeclaration>(
  list: List,
  { prefix = '', ...options }: ListOptions = {},
): ListState<List> {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const address = readListAddress(list, prefix, search);
  const state = useBoundList(list, options, address, (changes, replace) => {
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({
        ...current,
        ...writeListAddress(prefix, changes),
      }),
      replace,
    });
  });
  return { ...state, isOfScreen: true };
}

/** The same for a list in a dialog, whose page and filters are forgotten with it. */
export function useDialogList<List extends ListDeclaration>(
  list: List,
  options: Omit<ListOptions, 'prefix'> = {},
): ListState<List> {
  const [address, setAddress] = useState(() => firstView(list));
  return useBoundList(list, options, address, (changes) =>
    setAddress((current) => ({ ...current, ...changes })),
  );
}

function useBoundList<List extends ListDeclaration>(
  list: List,
  { params, refetchInterval = false, stateOf }: Omit<ListOptions, 'prefix'>,
  address: AddressOf<List>,
  setAddress: (changes: Record<string, unknown>, replace: boolean) => void,
): ListState<List> {
  const first: Record<string, unknown> = firstView(list);
  const { rows, count, export: csv } = list.operations;
  const { filter, view, place } = partsOf(list, address);
  const given = params === undefined ? {} : { params };
  const { rows: pageSize = list.pageSize } = address as { rows?: number };
  const firstPlace = partsOf(list, firstView(list)).place;
  const query = { ...view, ...place, pageSize };
  const problem = rangeProblem(filter);
  const ofState = <Reply>(options: UseQueryOptions<Reply>): UseQueryOptions<Reply> =>
    stateOf === undefined
      ? { ...options, refetchInterval }
      : { ...options, queryKey: [...options.queryKey, stateOf], staleTime: 'static' };
  const paged = usePagedList(
    {
      ...ofState(reading<PageReply<RowOf<List>>>(rows, { ...given, query })),
      enabled: problem === undefined,
    },
    count === null
      ? undefined
      : ofState(reading<{ total: number }>(count, { ...given, query: filter })),
  );
  return {
    list,
    paged: problem === undefined ? paged : NOTHING_ASKED,
    address,
    view: view as ViewOf<List>,
    problem,
    isFiltered: Object.entries(filter).some(([name, value]) => value !== first[name]),
    change: (changes, { isTyping = false } = {}) =>
      setAddress({ ...firstPlace, ...changes }, isTyping),
    goTo: (target) => setAddress(target, false),
    loadAll: () => loadAllRows<RowOf<List>>(list, { ...given, query: view }),
    size:
      list.pageSizes.length === 0
        ? undefined
        : {
            chosen: pageSize,
            choices: list.pageSizes,
            choose: (size) => setAddress({ ...firstPlace, rows: size }, false),
          },
    exportHref:
      csv === null || problem !== undefined
        ? undefined
        : addressOf(csv, loose(csv, { ...given, query: view })),
    isOfScreen: false,
  };
}

const NOTHING_ASKED: PagedList<never> = {
  rows: [],
  isLoading: false,
  place: undefined,
  failure: undefined,
  isPageGone: false,
  loadedAt: 0,
};

type Words = Record<string, string | number>;

/** The words of an address by what they are for. */
function partsOf<List extends ListDeclaration>(list: List, address: AddressOf<List>) {
  const filter: Words = {};
  const order: Words = {};
  const place: Words = {};
  for (const [name, value] of Object.entries(address) as [string, string | number][]) {
    if (name === 'rows') continue;
    const part =
      name in list.filters ? filter : name === 'sort' || name === 'direction' ? order : place;
    part[name] = value;
  }
  return { filter, view: { ...filter, ...order }, place };
}

/** The declaration makes the query; that of a list which is any cannot be checked by its name. */
function loose<Name extends RouteName>(_name: Name, input: LooseInput): RouteInput<Name> {
  return input as RouteInput<Name>;
}

function reading<Reply>(name: RouteName, input: LooseInput) {
  return apiQuery(name, loose(name, input)) as unknown as UseQueryOptions<Reply>;
}

/** Fetches page after page. A row that moved to a later page in between is there once. */
async function loadAllRows<Row>(
  { operations }: ListDeclaration,
  { query, ...given }: LooseInput,
): Promise<Row[]> {
  const ask = call as (name: RouteName, input: LooseInput) => Promise<unknown>;
  const rows: Row[] = [];
  let place: PageTarget | undefined = {} as PageTarget;
  while (place !== undefined && rows.length < MAX_LOADED_ROWS) {
    const page = { ...query, ...place, pageSize: MAX_PAGE_SIZE };
    // oxlint-disable-next-line no-await-in-loop -- each page says whether another follows
    const reply = (await ask(operations.rows, { ...given, query: page })) as PageReply<Row>;
    rows.push(...reply.items);
    if ('hasMore' in reply) place = reply.hasMore ? { page: reply.page + 1 } : undefined;
    else place = reply.next === null ? undefined : { cursor: reply.next };
  }
  return rows;
}
