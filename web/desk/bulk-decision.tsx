import { useState, type ReactNode } from 'react';
import { specOf, type BulkOffer, type Thing } from '#contract/things/thing.ts';
import { formatMoney, money, type Currency, type Money as Amount } from '#contract/money.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted, titleCase } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { Money } from '#web/ui/money.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import {
  BulkResults,
  MAX_LISTED,
  NotListed,
  useBulk,
  type Bulk,
  type BulkAct,
  type BulkWords,
} from '#web/kit/bulk-act.tsx';
import { CompletionFields, completionOf, useCompletion } from '#web/kit/completion.tsx';
import { ReasonDialog } from '#web/kit/reason-dialog.tsx';
import { sendDecision, type Decision, type DecisionBody } from '#web/kit/decision-dialog.tsx';
import { offersOf } from './acts.ts';
import { nounOf, type DeskRow } from './desk.ts';

interface BulkDecisionProps {
  /** Those it is legal for. */
  rows: readonly DeskRow[];
  /** Columns next to the names in the question: "To". */
  columns: readonly Column<DeskRow>[];
  onClose: () => void;
}

/** Props with the words of the decision, from the declaration of the act. */
type BulkTaskProps = BulkDecisionProps & {
  decision: Decision;
  words: BulkWords;
  offer: BulkOffer;
  topic: EventTopic;
};

/** Decides about several of a list, each by itself, and says what became of every one of them. */
export function BulkDecision({
  thing,
  act,
  ...given
}: BulkDecisionProps & { thing: Thing; act: string }) {
  const { offer, to } = specOf(thing, act);
  const offered = offer?.bulk;
  const decision = offersOf(thing)[act];
  if (offered === undefined || decision === undefined)
    throw new TypeError(`${act} is not offered for several`);
  const words = {
    noun: nounOf(thing),
    verb: offered.verb,
    done: offered.done,
    status: to as StatusName,
  };
  const props = { ...given, decision, words, offer: offered };
  return <BulkTask {...props} topic={thing.topic} />;
}

function BulkTask(props: BulkTaskProps) {
  const { decision, words, topic } = props;
  // Those that were selected when it was asked: the list behind may change.
  const [rows] = useState(props.rows);
  const bulk = useBulk<DeskRow, DecisionBody | undefined>({
    items: rows,
    idOf: ({ id }) => id,
    send: ({ id }, body, options) => sendDecision(decision, id, body, options),
    topics: [topic],
    label: `${decision.pending} ${words.noun}s`,
    drawResults: (act, onClose) => <Results {...props} bulk={act} onClose={onClose} />,
  });
  if (bulk.isOver) return <Results {...props} bulk={bulk} />;
  if (decision.reason !== undefined) {
    return <ReasonQuestion {...props} reason={decision.reason} bulk={bulk} />;
  }
  return decision.isCompletion === true ? (
    <CompletionQuestion {...props} bulk={bulk} />
  ) : (
    <Question {...props} bulk={bulk} onConfirm={() => bulk.start(undefined)} />
  );
}

type StepProps = BulkTaskProps & {
  bulk: Bulk<DeskRow, DecisionBody | undefined>;
};

function CompletionQuestion(props: StepProps) {
  const { bulk, onClose } = props;
  const state = useCompletion();
  const { onLeave, question } = useLeaveQuestion({
    hasWork: state.form.formState.isDirty && !bulk.isRunning,
    onClose,
  });
  const confirm = state.form.handleSubmit((values) => bulk.start(completionOf(values)));
  return (
    <>
      <Question {...props} onLeave={onLeave} onConfirm={() => void confirm()}>
        <CompletionFields
          state={state}
          referenceHint="One for the whole file or batch. It is saved with each payment."
        />
      </Question>
      {question}
    </>
  );
}

interface QuestionProps {
  onConfirm: () => void;
  /** In place of `onClose`, by each way out. */
  onLeave?: () => void;
  /** Fields of its own. */
  children?: ReactNode;
}

function Question(props: StepProps & QuestionProps) {
  const { decision, words, columns, offer, bulk, onClose, children } = props;
  const { onLeave = onClose, onConfirm } = props;
  const { items, isRunning } = bulk;
  const total = useSum(items);
  const count = counted(items.length, words.noun);
  const subject = total === null ? titleCase(count) : formatMoney(total);
  return (
    <Dialog
      role="alertdialog"
      title={`${decision.label} ${count}?`}
      onClose={onLeave}
      onSubmit={() => !isRunning && onConfirm()}
      actions={
        <>
          <Button onPress={onLeave}>{isRunning ? 'Continue in the Background' : 'Cancel'}</Button>
          <Button
            kind={decision.kind}
            isPending={isRunning}
            pendingLabel={bulk.turnWords(decision.pending)}
            type="submit"
          >
            {`${decision.label} ${subject}`}
          </Button>
        </>
      }
    >
      <Table
        label={`${titleCase(words.noun)}s to ${words.verb}`}
        isDense
        rows={items.slice(0, MAX_LISTED)}
        columns={[
          employeeColumn(total === null ? undefined : `Total, ${count}`),
          ...columns,
          ...(total === null ? [] : [amountColumn(total)]),
        ]}
      />
      <NotListed count={items.length - MAX_LISTED} />
      <p className="meta mt-4">{offer.consequence}</p>
      {children !== undefined && <div className="form mt-4">{children}</div>}
    </Dialog>
  );
}

function ReasonQuestion({
  decision,
  reason,
  words,
  offer,
  bulk,
  onClose,
}: StepProps & { reason: NonNullable<Decision['reason']> }) {
  const { items, isRunning } = bulk;
  const total = useSum(items);
  const count = counted(items.length, words.noun);
  return (
    <ReasonDialog
      title={`${decision.label} ${count}`}
      keepLabel={isRunning ? 'Continue in the Background' : `${reason.keep}s`}
      confirmLabel={`${decision.label} ${titleCase(count)}`}
      emptyHint={reason.emptyHint}
      isPending={isRunning}
      pendingLabel={bulk.turnWords(decision.pending)}
      onClose={onClose}
      onConfirm={(given) => bulk.start({ reason: given })}
    >
      {total !== null && (
        <>
          <Money amount={total} />.{' '}
        </>
      )}
      {offer.consequence} Each employee reads this reason.
    </ReasonDialog>
  );
}

function Results({
  words,
  bulk,
  offer: { total, isReceived },
  onClose,
}: Omit<BulkTaskProps, 'rows'> & { bulk: BulkAct<DeskRow> }) {
  const isDone = (row: DeskRow) => bulk.outcomeOf(row)?.kind === 'done';
  const done = useSum(bulk.items.filter(isDone));
  const signs = isReceived === true ? ('always' as const) : undefined;
  return (
    <BulkResults
      bulk={bulk}
      words={words}
      name={employeeColumn(total)}
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

function employeeColumn(total: string | undefined): Column<DeskRow> {
  return {
    id: 'employee',
    header: 'Employee',
    isRowHeader: true,
    cell: ({ employee }) => employee.name,
    ...(total !== undefined && { total }),
  };
}

function amountColumn(total: Amount): Column<DeskRow> {
  return {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount }) => amount !== undefined && <Money amount={amount} />,
    total: <Money amount={total} />,
  };
}

/** Sum that they move together; null where they move nothing. */
function useSum(rows: readonly DeskRow[]): Amount | null {
  const { currency } = useCompany();
  return rows.some(({ amount }) => amount === undefined) ? null : sumOf(rows, currency);
}

/** Their sum, in the company's currency. */
export function sumOf(rows: readonly Pick<DeskRow, 'amount'>[], currency: Currency): Amount {
  return money(
    rows.reduce((sum, { amount }) => sum + BigInt(amount?.minor ?? '0'), 0n),
    currency,
  );
}
