import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { EventTopic } from '#contract/live-topics.ts';
import type { CallOptions } from '#web/api/client.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import {
  leaveRun,
  runsVersion,
  showRun,
  startRun,
  subscribeToRuns,
  type BulkRun,
  type Outcome,
} from './bulk-runs.ts';

/** Most rows that a question or a result lists; drawing 1,743 would freeze the page. */
export const MAX_LISTED = 100;

interface BulkOptions<Item, Input> {
  items: readonly Item[];
  idOf: (item: Item) => string;
  send: (item: Item, input: Input, options: CallOptions) => Promise<unknown>;
  /** Queries that are fetched again once all have had their turn. */
  topics: readonly EventTopic[];
  /** "Approving" */
  label: string;
  /** Things that an item has, and those of them that were done once it was answered; each 1 without it. */
  sizes?: { of: (item: Item) => number; done: (item: Item) => number };
  /** Draws what became of each. */
  drawResults: (bulk: BulkAct<Item>, onClose: () => void) => ReactNode;
}

/** The same act on several things, and what became of each. */
export interface BulkAct<Item> {
  items: readonly Item[];
  /** Outcome of one item; undefined before its turn. */
  outcomeOf: (item: Item) => Outcome | undefined;
  /** Takes those that have had no answer, or no turn. */
  retry: () => void;
}

/** The act from its question to its end, as the dialog has it that asks. */
export interface Bulk<Item, Input> extends BulkAct<Item> {
  start: (input: Input) => void;
  isRunning: boolean;
  /** All have had their turn: `BulkResults` shows how it went. */
  isOver: boolean;
  /** "Approving 3 of 12" */
  turnWords: (words: string) => string;
}

/**
 * Does the same to several things, each as a request of its own. When its dialog closes before the end it
 * goes on in the background, where `BulkProgress` shows it on every screen.
 */
export function useBulk<Item, Input>(options: BulkOptions<Item, Input>): Bulk<Item, Input> {
  const { items, idOf, send, drawResults, ...rest } = options;
  const queryClient = useQueryClient();
  const [run, setRun] = useState<BulkRun<Item>>();
  useSyncExternalStore(subscribeToRuns, runsVersion, runsVersion);
  useEffect(() => {
    if (run === undefined) return undefined;
    showRun(run as never);
    return () => leaveRun(run as never);
  }, [run]);

  function actOf(of: BulkRun<Item> | undefined, all: readonly Item[]): BulkAct<Item> {
    return {
      items: all,
      outcomeOf: (item) => of?.outcomes.get(idOf(item)),
      retry: () => void of?.run(),
    };
  }
  return {
    ...actOf(run, items),
    start: (input) => {
      const started: BulkRun<Item> = startRun({
        queryClient,
        items,
        idOf,
        send: (item, how) => send(item, input, how),
        ...rest,
        drawResults: (onClose) => drawResults(actOf(started, items), onClose),
      });
      setRun(started);
    },
    isRunning: run?.isRunning ?? false,
    isOver: run !== undefined && !run.isRunning,
    turnWords: (words) =>
      run === undefined
        ? words
        : `${words} ${formatCount(Math.min(run.turns + 1, run.total))} of ${formatCount(run.total)}`,
  };
}

export interface BulkWords {
  /** "deposit" */
  noun: string;
  /** "approve" */
  verb: string;
  /** "approved" */
  done: string;
  /** Display of one that is done. */
  status: StatusName;
  /** Its word, if not that of the table of statuses. */
  label?: string;
}

interface BulkResultsProps<Item> {
  bulk: BulkAct<Item>;
  words: BulkWords;
  /** Name of each. */
  name: Column<Item>;
  /** Columns after the outcome. */
  further?: readonly Column<Item>[];
  onClose: () => void;
}

/** Result of a bulk act: the number done, and those not done with their reasons. */
export function BulkResults<Item extends { id: string }>({
  bulk: { items, outcomeOf, retry },
  words,
  name,
  further,
  onClose,
}: BulkResultsProps<Item>) {
  const countOf = (kind: Outcome['kind'] | undefined) =>
    items.filter((item) => outcomeOf(item)?.kind === kind).length;
  // Those that need attention stand first.
  const isDone = (item: Item) => outcomeOf(item)?.kind === 'done';
  const listed = [...items.filter((item) => !isDone(item)), ...items.filter(isDone)];
  return (
    <BulkDialog
      words={words}
      counts={{
        total: items.length,
        done: countOf('done'),
        refused: countOf('refused'),
        unknown: countOf('unknown'),
        notBegun: countOf(undefined),
      }}
      retry={retry}
      onClose={onClose}
    >
      <Table
        label="What happened"
        isDense
        rows={listed.slice(0, MAX_LISTED)}
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
      <NotListed count={items.length - MAX_LISTED} />
    </BulkDialog>
  );
}

interface BulkDialogProps {
  words: Pick<BulkWords, 'noun' | 'done'>;
  counts: Record<Outcome['kind'] | 'total' | 'notBegun', number>;
  /** Reason why some were refused. */
  why?: string;
  /** Takes those that have had no answer, or no turn. */
  retry: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Frame of the results of a bulk act: how many were done, and how to go on with the others. */
export function BulkDialog({
  words: { noun, done },
  counts: { total, refused, unknown, notBegun, ...counts },
  why = 'The table says why.',
  retry,
  onClose,
  children,
}: BulkDialogProps) {
  return (
    <Dialog
      title={`${formatCount(counts.done)} of ${counted(total, noun)} ${done}`}
      onClose={onClose}
      actions={
        <>
          {unknown + notBegun > 0 && (
            <Button onPress={retry}>{unknown > 0 ? 'Try Again' : 'Go On'}</Button>
          )}
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
              {refused === 1 ? `One was not ${done}.` : `${formatCount(refused)} were not ${done}.`}
            </span>{' '}
            {why}
          </Notice>
        </div>
      )}
      {unknown > 0 && (
        <div className="mb-4">
          <Notice tone="caution">
            <span className="strong">We didn’t get a response for {counted(unknown, noun)}.</span>{' '}
            It’s safe to try again; nothing is done twice.
          </Notice>
        </div>
      )}
      {children}
    </Dialog>
  );
}

/** Number of rows that a table of `MAX_LISTED` leaves out. */
export function NotListed({ count }: { count: number }) {
  return count <= 0 ? null : <p className="meta mt-2">{`And ${formatCount(count)} more.`}</p>;
}

function OutcomeStatus({ outcome, words }: { outcome: Outcome | undefined; words: BulkWords }) {
  switch (outcome?.kind) {
    case 'done':
      return <Status status={words.status} label={words.label} isFinal />;
    case 'refused':
      return <Status status="failed" label={outcome.message} />;
    case 'unknown':
    case undefined:
      return <Status status="pending" label="No response" />;
  }
}
