/**
 * The shape of a desk: a list of the back office with the details, dialogs and bulk acts of one kind of thing.
 * Statuses, acts and their words come from the declaration of the thing (contract/things/).
 */
import type { ComponentType, ReactNode } from 'react';
import type { RouteReply, RouteName, ListDeclaration } from '#contract/api.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { OfferedAct, Thing } from '#contract/things/thing.ts';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import type { FilterWords } from '#web/kit/list-filters.tsx';
import type { Payer } from '#web/kit/payout-facts.tsx';
import type { RowOf } from '#web/kit/use-list.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';
import type { Fact } from '#web/ui/facts.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import type { Column } from '#web/ui/table.tsx';

/** Fields that every row of a desk has. */
export interface DeskRow {
  id: string;
  status: StatusName;
  employee: { id: string; name: string; employeeId: string | null };
  /** Amount that it moves; left out where it moves nothing. */
  amount?: Money;
  /** Wallet that the amount moves from or to. */
  walletName?: string;
  walletLast4?: string;
  /** Acts that are legal in its status, each with the reason why the server would refuse it now. */
  acts: readonly { act: string; refusal: string | null }[];
}

/** A day, or an age that is counted to when the rows were read. */
interface DeskTime<Row> {
  header?: string;
  at: (row: Row) => string;
  as: 'age' | 'day';
}

/** Declaration of a desk's page: its list and its details. */
interface DeskParts<Row, One, Act extends string> {
  /** Word of the screen's address that names the opened one: "request". */
  opened: string;
  /** Accessible name of the list, if not "Bills". */
  label?: string;
  /** Noun for the rows after a count, if not "bills". */
  itemNoun?: string;
  /** Fields that the search looks in: "Search employee, payee or memo". */
  search: string;
  /** Words where nothing is in the list yet. */
  none: { title: string; hint: string };
  /** Figures over the list. */
  Figures?: ComponentType;
  /** Columns between the person and the time. */
  columns: readonly Column<Row>[];
  /** Column of the time, if not the moment at which it was submitted. */
  time?: DeskTime<Row>;
  /** Place that money goes to, or the bank account itself: "Cascade Federal ••2208". */
  target: { header: string; of: (row: Row) => { name: string; last4: string } };
  /** Columns, by their ids, that the question about several shows too. */
  bulkColumns?: readonly string[];
  /** Method by which received money reaches the target: "ACH transfer". Other money leaves the wallet of the row. */
  by?: (row: Row | One) => string;
  rail: (one: One) => DatedStep[];
  /** Facts between the employee and the payer's context. `to` is the target, with its bank details while it is open. */
  facts: (one: One, show: { to: Fact }) => Fact[];
  /** Place of money that leaves: facts about the payer are read in the details and before each act that sends it. */
  payer?: Payer['to'];
  /** Notices and images under the facts. */
  below?: (one: One) => ReactNode;
  /** Sentence of an act's dialog, before the consequence of the act, if not amount, employee and target. */
  sentence?: { readonly [Name in Act]?: (row: Row) => ReactNode };
  /** True of rows whose act with a `reasonForSome` needs it. */
  needsReason?: (row: Row) => boolean;
  /** Facts to compare in the dialog of an act. */
  before?: { readonly [Name in Act]?: (one: One) => Fact[] };
  /** Act by which money leaves. A row says in short until when it waits. */
  leavesBy?: Act;
  /** Operation that shows the whole account numbers of what is to be paid. */
  reveal?: 'adminRevealWithdrawals' | 'adminRevealBills';
  /** Rows that are decided one by one, by an act that others can be given together. */
  alone?: { act: Act; is: (row: Row) => boolean; because: string };
}

/** Rows that do not say when they were submitted need a column of the time. */
type WithTime<Row> = Row extends { submittedAt: string } ? object : { time: DeskTime<Row> };

/** Words of the filters, if any. The status needs none where the list offers statuses alone. */
type DeskFilters<List extends ListDeclaration> = Omit<
  FilterWords<List>,
  typeof STATUS_FILTER extends FilterWords<List>['status' & keyof FilterWords<List>]
    ? 'status'
    : never
>;
type WithFilters<Words> = object extends Words ? { filters?: never } : { filters: Words };

/** A desk as its components read it: of any thing, with the fields that all have. */
export interface Desk extends DeskParts<DeskRow, DeskRow, string> {
  thing: Thing;
  list: ListDeclaration;
  filters: FilterWords<ListDeclaration>;
  /** Operation that reads one by its id. */
  read: RouteName;
}

/** Declares a desk of a thing, its list, and the operation that reads one by its id. */
export function defineDesk<T extends Thing, List extends ListDeclaration, Get extends RouteName>(
  thing: T,
  list: List,
  read: Get,
  parts: DeskParts<RowOf<List>, RouteReply<Get>, OfferedAct<T>> &
    WithTime<RowOf<List>> &
    WithFilters<DeskFilters<List>>,
): Desk {
  const filters = { status: STATUS_FILTER, ...parts.filters };
  return { ...parts, thing, list, read, filters } as unknown as Desk;
}

/** A thing that an act was chosen for. */
export interface Deciding {
  act: string;
  row: DeskRow;
}

/** "bank account" */
export function nounOf({ name }: Thing): string {
  return name.replaceAll('_', ' ');
}

/** "Cascade Federal ••2208" */
export function targetOf({ target }: Desk, row: DeskRow): string {
  const { name, last4 } = target.of(row);
  return `${name} ••${last4}`;
}

/** "$620.00", or "Cascade Federal ••2208" of a thing that moves nothing. */
export function subjectOf(desk: Desk, row: DeskRow): string {
  return row.amount === undefined ? targetOf(desk, row) : formatMoney(row.amount);
}

/** "bank account" at the beginning of a line: "Bank account". */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
