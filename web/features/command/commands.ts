import type { Employee, LoggedTransaction, SavedView } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { formatMoney } from '#contract/money.ts';
import { PARTIAL_VIEW, savedViewHref, screenOfList } from '#web/kit/saved-view-href.ts';
import { undoLast } from '#web/kit/undo.ts';
import type { Screen, Waiting } from '#web/lib/screens.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { ACTIONS } from './shortcuts.ts';

/** One line of the palette. It opens a screen. Only undo acts directly. */
export interface Command {
  id: string;
  label: string;
  /** Fainter text next to the label. */
  detail?: string | undefined;
  /** Number of waiting items, on the right. */
  count?: number | undefined;
  /** Keyboard shortcut for the same command, on the right. */
  shortcut?: string | undefined;
  href?: string;
  /** Called when it is chosen, in addition to opening the address. */
  onChoose?: (() => void) | undefined;
}

export interface CommandGroup {
  label: string;
  commands: readonly Command[];
}

/** Labels that name the act to do for each kind of waiting item. */
const WAITING_LABELS: Record<keyof Waiting, string> = {
  withdrawals: 'Withdrawals to pay out',
  deposits: 'Deposits to approve',
  bills: 'Bills to pay',
  kyc: 'KYC applications',
  bankAccounts: 'Bank accounts to verify',
  questions: 'Questions to answer',
  applicants: 'People to accept',
  bankLines: 'Statement lines to match',
  payouts: 'Payments ready to pay',
};

interface Sources {
  typed: string;
  /** Screens of the area. Screens outside the navigation are left out. */
  screens: readonly Screen[];
  waiting: Waiting | null;
  people: readonly Employee[];
  /** Matches by a part of the reference or description, or by amount. */
  transactions: readonly LoggedTransaction[];
  /** True for those that were found by an earlier search. */
  isOutdated: { people: boolean; transactions: boolean };
  views: readonly SavedView[];
  /** Description of the last act that can be undone. */
  undoable: string | undefined;
}

/**
 * Commands of the palette. Without a search: waiting items and common actions. With a search:
 * commands that contain all its words. Empty groups are left out.
 */
export function commandsFor({
  typed,
  screens,
  waiting,
  people,
  transactions,
  isOutdated,
  views,
  undoable,
}: Sources): CommandGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isIn = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const matches = ({ label }: Command) => isIn(label);
  const isSearched = words.length > 0;
  // Enter opens the first command, which must not be one that only an earlier search found.
  const found = (commands: Command[], isOld: boolean) =>
    commands.filter(
      ({ label, detail = '' }) => isSearched && (!isOld || isIn(`${label} ${detail}`)),
    );
  const groups = [
    { label: 'Just done', commands: undoCommands(undoable).filter(matches) },
    { label: 'Waiting for you', commands: waitingCommands(screens, waiting).filter(matches) },
    { label: 'Actions', commands: actionCommands().filter(matches) },
    { label: 'Saved views', commands: viewCommands(screens, views).filter(matches) },
    { label: 'People', commands: found(people.map(personCommand), isOutdated.people) },
    {
      label: 'Transactions',
      commands: found(transactionCommands(typed.trim(), transactions), isOutdated.transactions),
    },
    { label: 'Screens', commands: isSearched ? screenCommands(screens).filter(matches) : [] },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

function undoCommands(undoable: string | undefined): Command[] {
  if (undoable === undefined) return [];
  return [{ id: 'undo', label: `Undo: ${undoable}`, onChoose: () => void undoLast() }];
}

function viewCommands(screens: readonly Screen[], views: readonly SavedView[]): Command[] {
  return views.flatMap(({ id, list, name, view, isPartial }) => {
    const screen = screenOfList(screens, list);
    if (screen === undefined) return [];
    return [
      {
        id: `view ${id}`,
        label: name,
        detail: screen.navigation?.label,
        href: savedViewHref(screen.path, list, view),
        ...(isPartial && { onChoose: () => toast(PARTIAL_VIEW) }),
      },
    ];
  });
}

function waitingCommands(screens: readonly Screen[], waiting: Waiting | null): Command[] {
  if (waiting === null) return [];
  return screens.flatMap(({ path, navigation }) => {
    const name = navigation?.waiting;
    if (name === undefined || waiting[name] === 0) return [];
    return [
      { id: `waiting ${name}`, label: WAITING_LABELS[name], count: waiting[name], href: path },
    ];
  });
}

function actionCommands(): Command[] {
  return ACTIONS.map(({ key, label, href }) => ({
    id: `action ${key}`,
    label,
    shortcut: key.toUpperCase(),
    href,
  }));
}

function personCommand({ id, name, employeeId, department }: Employee): Command {
  const detail = [employeeId, DEPARTMENTS[department]].filter(Boolean).join(', ');
  return { id: `person ${id}`, label: name, detail, href: `/admin/employees/${id}` };
}

/** Newest matches, and a link to all of them. */
function transactionCommands(
  search: string,
  transactions: readonly LoggedTransaction[],
): Command[] {
  if (transactions.length === 0) return [];
  return [
    ...transactions.map(({ id, reference, employee, description, amount }) => ({
      id: `transaction ${id}`,
      label: reference,
      detail: `${formatMoney(amount, 'always')}, ${employee.name}, ${description}`,
      href: `/admin/transactions/${id}`,
    })),
    {
      id: 'transactions',
      label: `All transactions with “${search}”`,
      href: `/admin/transactions?search=${encodeURIComponent(search)}`,
    },
  ];
}

function screenCommands(screens: readonly Screen[]): Command[] {
  return screens.flatMap(({ path, title, navigation }) => {
    if (navigation === null) return [];
    const detail = title === null || title === navigation.label ? undefined : title;
    return [{ id: `screen ${path}`, label: navigation.label, detail, href: path }];
  });
}
