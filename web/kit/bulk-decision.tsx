import type { ReactNode } from 'react';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney, money, type Currency, type Money as Amount } from '#contract/money.ts';
import type { EventTopic } from '#contract/paths.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { BulkResults, useBulk, type BulkRun, type BulkWords } from './bulk-act.tsx';
import { sendDecision, type Decision } from './decision-dialog.tsx';

/** What can be decided about several at once: each is an employee's. */
export interface Decided {
  id: string;
  employee: { name: string };
  /** What it moves, where it moves anything. */
  amount?: Amount;
}

interface BulkDecisionProps<Row extends Decided> {
  decision: Decision;
  words: BulkWords;
  /** Those it is legal for. */
  rows: readonly Row[];
  topic: EventTopic;
  /** Beside the names in the question: "To". */
  columns: readonly Column<Row>[];
  /** What follows, also in place of the table where a reason is asked for. */
  consequence: ReactNode;
  /** What the amounts of those that were done come to: "In wallets now"; and whether they have a plus. */
  doneTotal?: string;
  isReceived?: boolean;
  onClose: () => void;
}

/** Decides about several of a list, each by itself, and says what became of every one of them. */
export function BulkDecision<Row extends Decided>(props: BulkDecisionProps<Row>) {
  const { decision, rows, topic } = props;
  const bulk = useBulk<Row, string | undefined>({
    items: rows,
    idOf: ({ id }) => id,
    send: ({ id }, reason, options) => sendDecision(decision, id, reason, options),
    topic,
  });
  if (bulk.isOver) return <Results {...props} bulk={bulk} />;
  return decision.reason === undefined ? (
    <Question {...props} bulk={bulk} />
  ) : (
    <ReasonQuestion {...props} reason={decision.reason} bulk={bulk} />
  );
}

type StepProps<Row extends Decided> = BulkDecisionProps<Row> & {
  bulk: BulkRun<Row, string | undefined>;
};

function Question<Row extends Decided>(props: StepProps<Row>) {
  const { decision, words, columns, consequence, bulk, onClose } = props;
  const { items, isRunning } = bulk;
  const total = useSum(items);
  const count = counted(items.length, words.noun);
  const subject = total === null ? titleCase(count) : formatMoney(total);
  return (
    <Dialog
      role="alertdialog"
      title={`${decision.label} ${count}?`}
      isOpen
      onClose={() => !isRunning && onClose()}
      actions={
        <>
          <Button onPress={onClose} isDisabled={isRunning}>
            Cancel
          </Button>
          <Button
            kind={decision.kind}
            isPending={isRunning}
            pendingLabel={bulk.turnWords(decision.pending)}
            onPress={() => bulk.start(undefined)}
          >
            {`${decision.label} ${subject}`}
          </Button>
        </>
      }
    >
      <Table
        label={`${titleCase(words.noun)}s to ${words.verb}`}
        isDense
        rows={items}
        rowKey={({ id }) => id}
        columns={[
          employeeColumn<Row>(total === null ? undefined : `Total, ${count}`),
          ...columns,
          ...(total === null ? [] : [amountColumn<Row>(total)]),
        ]}
      />
      <p className="meta mt-4">{consequence}</p>
    </Dialog>
  );
}

function ReasonQuestion<Row extends Decided>({
  decision,
  reason,
  words,
  consequence,
  bulk,
  onClose,
}: StepProps<Row> & { reason: NonNullable<Decision['reason']> }) {
  const { items, isRunning } = bulk;
  const total = useSum(items);
  const count = counted(items.length, words.noun);
  return (
    <ReasonDialog
      title={`${decision.label} ${count}`}
      keepLabel={`${reason.keep}s`}
      confirmLabel={`${decision.label} ${titleCase(count)}`}
      emptyHint={reason.emptyHint}
      maxLength={REASON_MAX_LENGTH}
      isPending={isRunning}
      pendingLabel={bulk.turnWords(decision.pending)}
      onClose={() => !isRunning && onClose()}
      onConfirm={bulk.start}
    >
      {total !== null && (
        <>
          <Money amount={total} />.{' '}
        </>
      )}
      {consequence} Each employee reads this reason.
    </ReasonDialog>
  );
}

function Results<Row extends Decided>({
  words,
  bulk,
  doneTotal,
  isReceived = false,
  onClose,
}: StepProps<Row>) {
  const isDone = (row: Row) => bulk.outcomeOf(row)?.kind === 'done';
  const done = useSum(bulk.items.filter(isDone));
  const signs = isReceived ? ('always' as const) : undefined;
  return (
    <BulkResults
      bulk={bulk}
      words={words}
      rowKey={({ id }) => id}
      name={employeeColumn<Row>(doneTotal)}
      further={
        bulk.items[0]?.amount === undefined
          ? []
          : [
              {
                id: 'amount',
                header: 'Amount',
                align: 'right',
                cell: (row) =>
                  row.amount !== undefined && (
                    <Money
                      amount={row.amount}
                      isFaded={!isDone(row)}
                      signs={isDone(row) ? signs : undefined}
                    />
                  ),
                total: done !== null && <Money amount={done} signs={signs} />,
              },
            ]
      }
      onClose={onClose}
    />
  );
}

function employeeColumn<Row extends Decided>(total: string | undefined): Column<Row> {
  return {
    id: 'employee',
    header: 'Employee',
    isRowHeader: true,
    cell: ({ employee }) => employee.name,
    ...(total !== undefined && { total }),
  };
}

function amountColumn<Row extends Decided>(total: Amount): Column<Row> {
  return {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount }) => amount !== undefined && <Money amount={amount} />,
    total: <Money amount={total} />,
  };
}

/** What they move together; null where they move nothing. */
function useSum(rows: readonly Decided[]): Amount | null {
  const { currency } = useCompany();
  return rows.some(({ amount }) => amount === undefined) ? null : sumOf(rows, currency);
}

/** Their sum, in the company's currency. */
export function sumOf(rows: readonly Pick<Decided, 'amount'>[], currency: Currency): Amount {
  return money(
    rows.reduce((sum, { amount }) => sum + BigInt(amount?.minor ?? '0'), 0n),
    currency,
  );
}

/** "3 bank accounts" as on a button: "3 Bank Accounts". */
function titleCase(words: string): string {
  return words.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
