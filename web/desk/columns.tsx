import type { Thing } from '#contract/things/thing.ts';
import { actionsColumn, type RowAction } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { ageColumn, timeColumn } from '#web/kit/columns/time.tsx';
import { isUndone } from '#web/kit/is-undone.ts';
import { formatDay } from '#web/lib/format.ts';
import type { Column } from '#web/ui/table.tsx';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { bulkActs, isFinal, offersOf } from './acts.ts';
import { subjectOf, type Desk, type DeskRow } from './desk.ts';

interface RowHandlers {
  /** Moment at which the rows were read. */
  now: number;
  /** Writes in short until when the act of a row waits: "Can be paid from Nov 26, 9:04 AM". */
  waitOf: (row: DeskRow, act: string) => string | undefined;
  onOpen: (row: DeskRow) => void;
  onAct: (act: string, row: DeskRow) => void;
}

/** Columns of a desk: the person, its own ones, time, status, amount, and the acts of the row. */
export function deskColumns(
  desk: Desk,
  { now, ...handlers }: RowHandlers,
): readonly Column<DeskRow>[] {
  const { thing } = desk;
  /** Name of the row of a button, for people who do not see the row: "Grace Achieng, $620.00". */
  const named = (row: DeskRow) => `${row.employee.name}, ${subjectOf(desk, row)}`;
  return [
    selectionColumn(named),
    personColumn({
      narrow: 'start',
      person: ({ employee }) => employee,
      open: { label: (row) => `Open ${named(row)}`, onOpen: handlers.onOpen },
    }),
    ...desk.columns,
    timeOf(desk, now),
    statusColumn({
      narrow: thing.movesMoney ? 'end-second' : 'end',
      status: ({ status }) => status,
      isFinal: ({ status }) => isFinal(thing, status),
    }),
    ...(thing.movesMoney
      ? [
          moneyColumn<DeskRow>({
            narrow: 'end',
            amount: ({ amount }) => amount as NonNullable<typeof amount>,
            isFaded: ({ status }) => isUndone(status),
          }),
        ]
      : []),
    actionsColumn({
      narrow: thing.movesMoney ? 'hidden' : 'end-second',
      nameOf: named,
      actions: (row) => rowActions(thing, row, handlers),
    }),
  ];
}

function timeOf({ time }: Desk, now: number): Column<DeskRow> {
  switch (time?.as) {
    case 'age':
      return ageColumn({ narrow: 'hidden', isWidestOnly: true, at: time.at, now });
    case 'day':
      return {
        id: 'day',
        header: time.header ?? 'Day',
        narrow: 'start-second',
        cell: (row) => <span className="muted nowrap">{formatDay(time.at(row), 'date')}</span>,
      };
    case undefined:
      return timeColumn({
        narrow: 'start-second',
        at: (row: DeskRow & { submittedAt?: string }) => row.submittedAt ?? '',
        as: 'shortDateTime',
      });
  }
}

/**
 * Buttons of a row: the acts that the server would take now. An act that has to wait says until when, and opens
 * the row; where no act is left, Details opens it.
 *
 * @param onOpen left out where a row cannot be opened
 */
export function rowActions(
  thing: Thing,
  row: DeskRow,
  { waitOf, onOpen, onAct }: Partial<RowHandlers> & Pick<RowHandlers, 'onAct'>,
): RowAction[] {
  const opens = (label: string | undefined): RowAction[] =>
    label === undefined || onOpen === undefined
      ? []
      : [{ label, isQuiet: true, onPress: () => onOpen(row) }];
  const actions = bulkActs(thing)
    .filter((act) => isLegal(row, act))
    .flatMap((act): RowAction[] => {
      if (refusalOf(row, act) !== undefined) return opens(waitOf?.(row, act));
      const { label = act, kind } = offersOf(thing)[act] ?? {};
      return [{ label, ...(kind === 'money' && { kind }), onPress: () => onAct(act, row) }];
    });
  return actions.length === 0 ? opens('Details') : actions;
}
