import type { Employee, LoggedTransaction, SavedView } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { formatMoney } from '#contract/money.ts';
import { PARTIAL_VIEW, savedViewHref, screenOfList } from '#web/kit/saved-view-href.ts';
import { undoLast } from '#web/kit/undo.ts';
import type { Screen, Waiting } from '#web/lib/screens.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { ACTIONS } from './shortcuts.ts';

/** One line of the palette: it leads somewhere. Only undoing is done by itself. */
export interface Command {
  id: string;
  label: string;
  /** Beside the label, fainter. */
  detail?: string | undefined;
  /** At the right: how many wait. */
  count?: number | undefined;
  /** At the right: the key that does the same. */
  shortcut?: string | undefined;
  href?: string;
  /** What happens when it is chosen, beside where it leads. */
  onChoose?: (() => void) | undefined;
}

export interface CommandGroup {
  label: string;
  commands: readonly Command[];
}

/** What waits is named by what is to be done. */
const WAITING_LABELS: Record<keyof Waiting, string> = {
  withdrawals: 'Withdrawals to pay out',
  deposits: 'Deposits to approve',
  bills: 'Bills to pay',
  kyc: 'KYC applications',
  bankAccounts: 'Bank accounts to verify',
  questions: 'Questions to answer',
  applicants: 'People to accept',
};

interface Sources {
  typed: string;
  /** The screens of the area; those that no navigation leads to are left out. */
  screens: readonly Screen[];
  waiting: Waiting | null;
  people: readonly Employee[];
  /** Found by a part of their reference or description, or by their amount. */
  transactions: readonly LoggedTransaction[];
  views: readonly SavedView[];
  /** What was done last and can be undone, in words. */
  undoable: string | undefined;
}

/**
 * What the palette offers: without a search what waits, and what is done most; with one, what has all of
 * its words. Groups without a command are left out.
 */
export function commandsFor({
  typed,
  screens,
  waiting,
  people,
  transactions,
  views,
  undoable,
}: Sources): CommandGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label }: Command) => words.every((word) => label.toLowerCase().includes(word));
  const isSearched = words.length > 0;
  const groups = [
    { label: 'Just done', commands: undoCommands(undoable).filter(matches) },
    { label: 'Waiting for you', commands: waitingCommands(screens, waiting).filter(matches) },
    { label: 'Actions', commands: actionCommands().filter(matches) },
    { label: 'Saved views', commands: viewCommands(screens, views).filter(matches) },
    { label: 'People', commands: isSearched ? people.map(personCommand) : [] },
    {
      label: 'Transactions',
      commands: isSearched ? transactionCommands(typed.trim(), transactions) : [],
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

/** The newest that were found, and the way to all of them. */
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
