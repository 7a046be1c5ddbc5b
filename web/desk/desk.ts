/**
 * The shape of a desk: a list of the back office with the details, dialogs and bulk acts of one kind of thing.
 * Statuses, acts and their words come from the declaration of the thing (contract/things/).
 */
import type { ComponentType, ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import type { ListDeclaration } from '#contract/list.ts';
import { formatMoney, type Money } from '#contract/money.ts';
import type { RouteName } from '#contract/paths.ts';
import type { OfferedAct, Thing } from '#contract/things/thing.ts';
import type { FilterWords } from '#web/kit/list-filters.tsx';
import type { ListPageWords } from '#web/kit/list-page.tsx';
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
  /** Acts that are legal in its status, each with the reason why the server would refuse it now. */
  acts: readonly { act: string; refusal: string | null }[];
}

/** Declaration of a desk's page: its list and its details. */
interface DeskParts<Row, One, Act extends string, List extends ListDeclaration> {
  /** Word of the screen's address that names the opened one: "request". */
  opened: string;
  words: ListPageWords<List>;
  filters: FilterWords<List>;
  /** Figures over the list. */
  Figures?: ComponentType;
  /** Columns between the person and the status. `now` is the moment at which the rows were read. */
  columns: readonly Column<Row>[] | ((now: number) => readonly Column<Row>[]);
  /** Place that money goes to, or the bank account itself: "Cascade Federal ••2208". */
  target: { header: string; of: (row: Row) => { name: string; last4: string } };
  /** Further columns in the question about several. */
  bulkColumns?: readonly Column<Row>[];
  /** Line over the amount in the details: "Wire transfer to Salary Wallet ••7731". */
  line: (one: One) => string;
  rail: (one: One) => DatedStep[];
  /** Facts between the employee and the payer's context. */
  facts: (one: One, show: { bankDetails: ReactNode }) => Fact[];
  /** Facts about the payer, read in the details and before each act that moves money. */
  payer?: (one: One) => Payer;
  /** Notices and images under the facts of the details. */
  below?: (one: One) => ReactNode;
  /** Sentence of an act's dialog, before the consequence of the act. */
  sentence: (row: Row, act: Act) => ReactNode;
  /** Facts to compare in the dialog of an act. */
  before?: { readonly [Name in Act]?: (one: One) => ReactNode };
  /** Act by which money leaves. A row says in short until when it waits. */
  leavesBy?: Act;
  /** Operation that shows the whole account numbers of what is to be paid. */
  reveal?: 'adminRevealWithdrawals' | 'adminRevealBills';
  /** Rows that are decided one by one, by an act that others can be given together. */
  alone?: { act: Act; is: (row: Row) => boolean; because: string };
}

/** A desk as its components read it: of any thing, with the fields that all have. */
export interface Desk extends DeskParts<DeskRow, DeskRow, string, ListDeclaration> {
  thing: Thing;
  list: ListDeclaration;
  /** Operation that reads one by its id. */
  read: RouteName;
}

/** Declares a desk of a thing, its list, and the operation that reads one by its id. */
export function defineDesk<T extends Thing, List extends ListDeclaration, Get extends RouteName>(
  thing: T,
  list: List,
  read: Get,
  parts: DeskParts<RowOf<List>, RouteReply<Get>, OfferedAct<T>, List>,
): Desk {
  return { ...parts, thing, list, read } as unknown as Desk;
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

/** "$620.00", or "Cascade Federal ••2208" of a thing that moves nothing. */
export function subjectOf({ target }: Desk, row: DeskRow): string {
  const { name, last4 } = target.of(row);
  return row.amount === undefined ? `${name} ••${last4}` : formatMoney(row.amount);
}
