import { useState } from 'react';
import type { EventTopic } from '#contract/paths.ts';
import type { CallOptions } from '#web/api/client.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useEach, type Outcome } from './use-each.ts';

interface BulkOptions<Item, Input> {
  items: readonly Item[];
  idOf: (item: Item) => string;
  send: (item: Item, input: Input, options: CallOptions) => Promise<unknown>;
  /** What is asked for again once all have had their turn. */
  topic: EventTopic;
}

/** The same act on several things, from its question to what became of each. */
export interface BulkRun<Item, Input> {
  items: readonly Item[];
  start: (input: Input) => void;
  isRunning: boolean;
  /** All have had their turn: `BulkResults` shows how it went. */
  isOver: boolean;
  /** "Approving 3 of 12" */
  turnWords: (words: string) => string;
  /** What became of one; undefined before its turn. */
  outcomeOf: (item: Item) => Outcome | undefined;
  /** Takes those again of which no answer came. */
  retry: () => void;
}

/** Does the same to several things, each as a request of its own (`useEach`). */
export function useBulk<Item, Input>({
  items,
  idOf,
  send,
  topic,
}: BulkOptions<Item, Input>): BulkRun<Item, Input> {
  type Given = { item: Item; input: Input };
  const [given, setGiven] = useState<readonly Given[]>([]);
  const { run, outcomes, isRunning } = useEach<Given>({
    idOf: ({ item }) => idOf(item),
    send: ({ item, input }, options) => send(item, input, options),
    topic,
  });
  return {
    items,
    start: (input) => {
      const all = items.map((item) => ({ item, input }));
      setGiven(all);
      void run(all);
    },
    isRunning,
    isOver: given.length > 0 && !isRunning,
    turnWords: (words) =>
      `${words} ${Math.min(outcomes.size + 1, items.length)} of ${items.length}`,
    outcomeOf: (item) => outcomes.get(idOf(item)),
    retry: () => void run(given),
  };
}

export interface BulkWords {
  /** "deposit" */
  noun: string;
  /** "approve" */
  verb: string;
  /** "approved" */
  done: string;
  /** How one looks that is done. */
  status: StatusName;
  /** Its word, if not that of the table of statuses. */
  label?: string;
}

interface BulkResultsProps<Item> {
  bulk: Pick<BulkRun<Item, never>, 'items' | 'outcomeOf' | 'retry'>;
  words: BulkWords;
  rowKey: (item: Item) => string;
  /** What names each. */
  name: Column<Item>;
  /** Beside the outcome. */
  further?: readonly Column<Item>[];
  onClose: () => void;
}

/** What became of each of several things: how many were done, which were not and why. */
export function BulkResults<Item>({
  bulk: { items, outcomeOf, retry },
  words,
  rowKey,
  name,
  further,
  onClose,
}: BulkResultsProps<Item>) {
  const countOf = (kind: Outcome['kind']) =>
    items.filter((item) => outcomeOf(item)?.kind === kind).length;
  const [refused, unknown] = [countOf('refused'), countOf('unknown')];
  return (
    <Dialog
      title={`${countOf('done')} of ${counted(items.length, words.noun)} ${words.done}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          {unknown > 0 && <Button onPress={retry}>Try Again</Button>}
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      {refused > 0 && (
        <div className="mb-4">
          <Notice tone="caution">
            <span className="strong">
              {refused === 1 ? `One was not ${words.done}.` : `${refused} were not ${words.done}.`}
            </span>{' '}
            The table says why.
          </Notice>
        </div>
      )}
      {unknown > 0 && (
        <div className="mb-4">
          <Notice tone="caution">
            <span className="strong">Of {counted(unknown, words.noun)} no answer came.</span> Trying
            again cannot {words.verb} one twice.
          </Notice>
        </div>
      )}
      <Table
        label="What happened"
        isDense
        rows={items}
        rowKey={rowKey}
        columns={[
          name,
          {
            id: 'outcome',
            header: 'Outcome',
            cell: (item) => <OutcomeStatus outcome={outcomeOf(item)} words={words} />,
          },
          ...(further ?? []),
        ]}
      />
    </Dialog>
  );
}

function OutcomeStatus({ outcome, words }: { outcome: Outcome | undefined; words: BulkWords }) {
  switch (outcome?.kind) {
    case 'done':
      return <Status status={words.status} label={words.label} isFinal />;
    case 'refused':
      return <Status status="failed" label={outcome.message} />;
    case 'unknown':
    case undefined:
      return <Status status="pending" label="No answer came" />;
  }
}
