import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { PayrollDraft, RouteReply } from '#contract/api.ts';
import { payrollDraftList } from '#contract/lists.ts';
import { formatMoney, money } from '#contract/money.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import { apiQuery } from '#web/api/query.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { failedToLoad, QueryError } from '#web/kit/query-error.tsx';
import { useList } from '#web/kit/use-list.ts';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { isOnlyPage } from '#web/lib/paged.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { DEPARTMENT_LABELS, draftTotal, draftWords } from '../words.ts';
import { RenameDraft } from './rename-draft.tsx';
import { copyOfDraft, useNewDraft } from './use-new-draft.ts';
import './drafts.css';

const DISCARD = decisionsOf(payrollDraft).discard;

/** A payroll that Purser will prepare for a payday, with each type of wallet that it pays. */
interface ScheduledPayroll extends NonNullable<Scheduled['payday']> {
  employees: number;
  wallets: Scheduled['payrolls'];
}
type Scheduled = RouteReply<'adminGetScheduledPayroll'>;
type NotSent = PayrollDraft | ScheduledPayroll;

interface DraftsListProps {
  onOpen: (draftId: string) => void;
  /** Payrolls that were sent. They wait for the drafts, which would move them. */
  children: ReactNode;
}

/** Payrolls that are being prepared or will be, over those that were sent. Only these where there are none. */
export function DraftsList({ onOpen, children }: DraftsListProps) {
  const { paged, goTo } = useList(payrollDraftList, { prefix: 'drafts' });
  const [discarding, setDiscarding] = useState<PayrollDraft>();
  const [renamed, setRenamed] = useState<PayrollDraft>();
  const copy = useNewDraft(onOpen);
  const write = useMoments();
  const scheduling = useQuery(apiQuery('adminGetScheduledPayroll', {}));
  const { place, failure, rows } = paged;
  if ((place === undefined && failure === undefined) || scheduling.isPending) {
    return <Skeleton lines={8} label="Loading payrolls" />;
  }
  const isWhole = place !== undefined && isOnlyPage(place);
  const scheduled = scheduledRows(scheduling.data);
  const isEmpty = isWhole && rows.length + scheduled.length === 0 && !scheduling.isError;
  const count = place?.kind === 'numbered' ? (place.total ?? rows.length) : rows.length;
  // The draft as it is now: a name is saved on the version that is shown. One that has left the list is refused with what was typed.
  const renaming = rows.find(({ id }) => id === renamed?.id) ?? renamed;
  return (
    <>
      {!isEmpty && (
        <div className="not-sent">
          <Section
            title="Not sent yet"
            end={
              count > 0 && (
                <span className="muted num">
                  {counted(count, 'draft') + (isWhole ? `, ${sumOf(rows)}` : '')}
                </span>
              )
            }
          >
            <ListFrame
              list={paged}
              errorTitle={failedToLoad('drafts')}
              empty={null}
              itemNoun="drafts"
              onGoTo={goTo}
              hidesSinglePage
            >
              {(table) => (
                <Table
                  label="Drafts"
                  columns={columnsOf({
                    onOpen,
                    onCopy: (draft) => copy.mutate(copyOfDraft(draft)),
                    onRename: setRenamed,
                    onDiscard: setDiscarding,
                    write,
                  })}
                  rowKey={(row) => ('id' in row ? row.id : row.on)}
                  {...table}
                  {...(isWhole && {
                    rows: [...table.rows, ...scheduled],
                    placeholder: scheduled.length === 0 ? table.placeholder : undefined,
                  })}
                />
              )}
            </ListFrame>
            {scheduling.isError && <QueryError what="scheduled payrolls" query={scheduling} />}
          </Section>
        </div>
      )}
      {renaming !== undefined && (
        <RenameDraft draft={renaming} onClose={() => setRenamed(undefined)} />
      )}
      {discarding !== undefined && (
        <DecisionDialog
          decision={DISCARD}
          id={discarding.id}
          subject={`${discarding.name}, ${formatMoney(draftTotal(discarding))}.`}
          topic="payroll"
          unchanged="The draft was not discarded."
          onClose={() => setDiscarding(undefined)}
        >
          It is no longer listed. Nobody was paid by it.
        </DecisionDialog>
      )}
      <Section title={isEmpty ? undefined : 'Sent'}>{children}</Section>
    </>
  );
}

function scheduledRows(scheduled: Scheduled | undefined): ScheduledPayroll[] {
  const [first] = scheduled?.payrolls ?? [];
  if (!scheduled?.payday || first === undefined) return [];
  return [{ ...scheduled.payday, employees: first.employees, wallets: scheduled.payrolls }];
}

/** "$150,777.20", the sum of drafts. */
function sumOf(drafts: readonly PayrollDraft[]): string {
  const minor = drafts.reduce((sum, draft) => sum + BigInt(draftTotal(draft).minor), 0n);
  return formatMoney(money(minor, drafts[0]?.total.currency ?? 'USD'));
}

interface Columns {
  onOpen: (draftId: string) => void;
  onCopy: (draft: PayrollDraft) => void;
  onRename: (draft: PayrollDraft) => void;
  onDiscard: (draft: PayrollDraft) => void;
  write: ReturnType<typeof useMoments>;
}

function columnsOf(columns: Columns): readonly Column<NotSent>[] {
  const { onOpen, onCopy, onRename, onDiscard, write } = columns;
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      narrow: 'start',
      cell: (row) => {
        if (isScheduled(row)) {
          const when = formatDay(row.preparedOn, 'weekday');
          return (
            <>
              {row.name}
              <span className="approval__note meta">Purser prepares the draft on {when}</span>
            </>
          );
        }
        return (
          <>
            <RowLink
              label={`${resumeWord(row)} ${row.name}`}
              isMarked
              onPress={() => onOpen(row.id)}
            >
              {row.name}
            </RowLink>
            <span className="approval__note meta">{originWords(row, write)}</span>
          </>
        );
      },
    },
    textColumn({
      id: 'department',
      header: 'Department',
      narrow: 'start-second',
      text: (row) => DEPARTMENT_LABELS[isScheduled(row) ? 'all' : row.department],
    }),
    {
      id: 'employees',
      header: 'Employees',
      align: 'right',
      narrow: 'hidden',
      cell: (row) => (row.wallets.length === 1 ? formatCount(row.employees) : draftWords(row)),
    },
    statusColumn({
      narrow: 'hidden',
      status: (row) => (isScheduled(row) ? 'scheduled' : 'draft'),
    }),
    moneyColumn({
      id: 'total',
      header: 'Total',
      narrow: 'end',
      amount: (row) => (isScheduled(row) ? row.total : draftTotal(row)),
      // Expected, not fixed.
      isFaded: isScheduled,
    }),
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      isHeaderHidden: true,
      isPinned: true,
      narrow: 'end-second',
      cell: (draft) =>
        isScheduled(draft) ? (
          <TextLink href="/admin/settings?tab=payroll">Schedule</TextLink>
        ) : (
          <span className="not-sent__acts">
            <Button
              shape="text"
              aria-label={`${resumeWord(draft)} ${draft.name}`}
              onPress={() => onOpen(draft.id)}
            >
              {resumeWord(draft)}
            </Button>
            <Menu
              label={`Acts on ${draft.name}`}
              trigger={<IconButton icon={Ellipsis} isSmall label={`More for ${draft.name}`} />}
              actions={[
                { id: 'copy', label: 'Copy', onPress: () => onCopy(draft) },
                { id: 'rename', label: 'Rename', onPress: () => onRename(draft) },
                {
                  id: 'discard',
                  label: 'Discard',
                  isDangerous: true,
                  onPress: () => onDiscard(draft),
                },
              ]}
            />
          </span>
        ),
    },
  ];
}

function isScheduled(row: NotSent): row is ScheduledPayroll {
  return 'preparedOn' in row;
}

/** A draft that nobody has changed since Purser prepared it is reviewed. */
function resumeWord({ preparedFor, version }: PayrollDraft): string {
  return preparedFor !== null && version === 1 ? 'Review' : 'Resume';
}

/** "Renee Albright, Dec 8, 9:12 AM", with the stop or decline that it came from. */
function originWords(
  { changedBy, changedAt, fromBatch, preparedFor, version }: PayrollDraft,
  write: Columns['write'],
): string {
  if (preparedFor !== null && version === 1) {
    return `Prepared by ${changedBy} for ${formatDay(preparedFor, 'weekday')}`;
  }
  const saved = `${changedBy}, ${write(changedAt, 'shortDateTime')}`;
  if (fromBatch === null) return saved;
  const { number, was, by, reason } = fromBatch;
  const why = reason === null ? '' : `: ${reason}`;
  return `${saved}. Batch ${number} was ${was} by ${by}${why}`;
}
