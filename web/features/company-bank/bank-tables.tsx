import { ON_ITS_WAY_LABELS, OWN_KIND_LABELS } from '#contract/company-bank.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { counted, formatDayRange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import type { CompanyBank } from './bank-words.ts';

/** Items that are booked and on no statement yet, or the reverse, by name; its sum is the figure above. */
export function OnItsWay({ onItsWay }: { onItsWay: CompanyBank['position']['onItsWay'] }) {
  if (onItsWay === null) return null;
  return (
    <Section title="On its way">
      <Table
        label="On its way"
        isDense
        rows={onItsWay.groups}
        rowKey={({ group }) => group}
        columns={[
          {
            id: 'what',
            header: 'What',
            isRowHeader: true,
            cell: ({ group, names, count }) => (
              <>
                {ON_ITS_WAY_LABELS[group]}
                <span className="bank-why">
                  {' '}
                  {names.join(', ')}
                  {count > names.length && ` and ${count - names.length} more`}
                </span>
              </>
            ),
            total: 'On its way',
          },
          {
            id: 'amount',
            header: 'Amount',
            align: 'right',
            cell: ({ amount }) => <Money amount={amount} signs="always" />,
            total: <Money amount={onItsWay.amount} signs="always" />,
          },
        ]}
      />
    </Section>
  );
}

/** Rules that propose what lines are, with their number of uses. */
export function Rules({ rules, onAdd }: { rules: CompanyBank['rules']; onAdd: () => void }) {
  const remove = useAction({
    send: (id: string) => call('adminRemoveBankRule', { params: { id } }),
    topics: ['company-bank'],
    done: { title: 'Rule Removed', message: 'Lines that it matched stay matched.' },
    failed: 'The rule was not removed',
  });
  return (
    <Section title="Rules">
      <Table
        label="Rules"
        isDense
        rows={rules}
        empty={<EmptyState title="No rules" hint="A rule proposes what lines with a text are." />}
        columns={[
          {
            id: 'text',
            header: 'When the text has',
            isRowHeader: true,
            cell: ({ text, direction, most }) => (
              <>
                “{text}”
                <span className="bank-why">
                  {direction === 'in' ? ' and money comes in' : ' and money goes out'}
                  {most !== null && `, up to ${formatMoney(most)}`}
                </span>
              </>
            ),
          },
          { id: 'kind', header: 'It is proposed as', cell: ({ kind }) => OWN_KIND_LABELS[kind] },
          {
            id: 'taken',
            header: 'Taken',
            align: 'right',
            cell: ({ taken }) => (taken === 0 ? 'New' : counted(taken, 'time')),
          },
          {
            ...ACTIONS_COLUMN,
            cell: ({ id, text }) => (
              <Button
                shape="text"
                aria-label={`Remove rule ${text}`}
                onPress={() => remove.mutate(id)}
              >
                Remove
              </Button>
            ),
          },
        ]}
      />
      <Button className="mt-3" shape="text" onPress={onAdd}>
        Add Rule
      </Button>
    </Section>
  );
}

/** Imported statements, the newest first. */
export function Statements({
  statements,
  onShow,
}: {
  statements: CompanyBank['statements'];
  onShow: (id: string) => void;
}) {
  return (
    <Section title="Statements">
      <Table
        label="Imported statements, newest first"
        isDense
        rows={statements}
        columns={[
          {
            id: 'period',
            header: 'Period',
            isRowHeader: true,
            narrow: 'start',
            cell: ({ id, from, to }) => (
              <RowLink label={`Show ${formatDayRange(from, to)}`} onPress={() => onShow(id)}>
                {formatDayRange(from, to)}
              </RowLink>
            ),
          },
          { id: 'file', header: 'File', narrow: 'hidden', cell: ({ fileName }) => fileName },
          {
            id: 'imported',
            header: 'Imported',
            narrow: 'start-second',
            cell: ({ importedAt, importedBy }) => (
              <>
                <Time at={importedAt} as="dateTime" />, {importedBy}
              </>
            ),
          },
          {
            id: 'lines',
            header: 'Lines',
            align: 'right',
            narrow: 'hidden',
            cell: ({ lines }) => lines,
          },
          {
            id: 'status',
            header: 'Status',
            narrow: 'end-second',
            cell: ({ open }) =>
              open === 0 ? (
                <Status status="completed" label="Matched" />
              ) : (
                <Status status="pending" label={`${open} to match`} />
              ),
          },
          {
            id: 'closing',
            header: 'Closing balance',
            align: 'right',
            narrow: 'end',
            cell: ({ closing }) => <Money amount={closing} />,
          },
        ]}
      />
    </Section>
  );
}
