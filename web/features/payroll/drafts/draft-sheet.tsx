import { Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PayrollBatch, PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import { ApiError, call } from '#web/api/client.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { useMoments } from '#web/ui/time.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { SendQuestion } from '../send-payroll.tsx';
import { reasonWords } from '../words.ts';
import { minorOf, percentWords, sumUp } from './amounts.ts';
import type { DraftPerson, Sums } from './amounts.ts';
import { DraftGrid } from './draft-grid.tsx';
import { Difference } from './draft-row.tsx';
import type { Wrong } from './draft-row.tsx';
import { isChanged } from './use-draft.ts';
import type { DraftSheet, DraftState } from './use-draft.ts';

interface DraftSheetViewProps {
  draft: PayrollDraft;
  state: DraftState;
  onSent: (batch: PayrollBatch) => void;
  onClose: () => void;
}

/** Whom a draft pays and how much, with the sums, and the button that reviews it. */
export function DraftSheetView({ draft, state, onSent, onClose }: DraftSheetViewProps) {
  const { currency } = draft.total;
  const [wrong, setWrong] = useState<ReadonlyMap<string, Wrong>>(new Map());
  const { sheet, edits } = state;
  const { payable, skipped } = useMemo(() => divide(sheet.data), [sheet.data]);
  const sums = useMemo(() => sumUp(payable, edits), [payable, edits]);
  const isOwn = draft.hasOwnAmounts;
  const total = isOwn ? money(sums.all.minor, currency) : draft.total;
  return (
    <section className="sheet pv" aria-label="Amounts">
      <div className="pv__head">
        <div>
          <h2 className="section-title">Preview</h2>
          <Balance amount={total} />
        </div>
        <p className="pv__count muted num">
          {counted(isOwn ? sums.all.people : draft.employees, 'employee')}
          {isOwn && <SkippedAndSince skipped={skipped.length} sums={sums.all} sheet={sheet.data} />}
        </p>
      </div>
      <Troubles state={state} wrong={wrong} people={payable} />
      {isOwn ? (
        <LoadedQuery query={sheet} what="the amounts" lines={10}>
          {(loaded) => (
            <>
              <Amounts
                {...{ draft, state, payable, wrong, setWrong }}
                sheet={loaded}
                changed={sums.all.changed}
              />
              <SumTable {...sums} currency={currency} lastOn={loaded.lastOn} />
              <SkippedTable skipped={skipped} draft={draft} />
            </>
          )}
        </LoadedQuery>
      ) : (
        <EmptyState
          title="The same amount for each"
          hint="Review the payroll to see who will be paid and who will be skipped."
        />
      )}
      <Foot {...{ draft, state, onSent, onClose, total }} wrongCount={wrong.size} />
    </section>
  );
}

/** Those who can be paid, and those who would be skipped. */
function divide(sheet: DraftSheet | undefined) {
  const people = sheet?.people ?? [];
  return {
    payable: people.filter(({ problem }) => problem === null),
    skipped: people.filter(({ problem }) => problem !== null),
  };
}

interface SinceProps {
  skipped: number;
  sums: Sums;
  sheet: DraftSheet | undefined;
}

function SkippedAndSince({ skipped, sums, sheet }: SinceProps) {
  const percent = percentWords(sums.minor, sums.lastMinor);
  const currency = sheet?.people.find(({ last }) => last !== null)?.last?.currency;
  const lastOn = sheet?.lastOn ?? null;
  return (
    <>
      {skipped > 0 && <span className="pv__skip">{`${skipped} will be skipped`}</span>}
      {percent !== undefined && currency !== undefined && lastOn !== null && (
        <span className="pv__since">
          <Money amount={money(sums.minor - sums.lastMinor, currency)} signs="always" /> ({percent})
          since {formatDay(lastOn, 'short')}
        </span>
      )}
    </>
  );
}

interface TroublesProps {
  state: DraftState;
  wrong: ReadonlyMap<string, Wrong>;
  people: readonly DraftPerson[];
}

/** What keeps the draft from being saved or reviewed: cells that are no amounts, another person's changes, no answer. */
function Troubles({ state: { conflict, settle, failure, retry }, wrong, people }: TroublesProps) {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return (
    <div className="pv__troubles">
      {wrong.size > 0 && (
        <Notice tone="critical" role="alert">
          {[...wrong].map(([id, { problem }]) => (
            <p key={id}>{`${names.get(id) ?? 'An employee'}: ${problem}`}</p>
          ))}
        </Notice>
      )}
      {conflict !== undefined && (
        <Notice tone="caution" role="alert">
          <p>
            <span className="strong">{`${conflict.who} has changed ${counted(conflict.people.length, 'amount')} that you changed too.`}</span>{' '}
            Nothing of theirs is lost until you choose.
          </p>
          <ul>
            {conflict.people.slice(0, MOST_NAMED).map(({ person, minor }) => (
              <li key={person.id}>
                {person.name}: <Amount of={minorOf(person, NO_EDITS)} like={person} /> instead of
                your <Amount of={minor} like={person} />
              </li>
            ))}
          </ul>
          <Button shape="text" onPress={() => settle('theirs')}>
            Take Theirs
          </Button>{' '}
          <Button shape="text" onPress={() => settle('mine')}>
            Keep Mine
          </Button>
        </Notice>
      )}
      {failure !== undefined && (
        <Notice tone="critical" role="alert">
          {errorMessage(failure, 'The draft could not be saved.')}{' '}
          <Button shape="text" onPress={retry}>
            Retry
          </Button>
        </Notice>
      )}
    </div>
  );
}
const MOST_NAMED = 5;
const NO_EDITS = new Map<string, bigint | null>();

function Amount({ of: minor, like }: { of: bigint | null; like: DraftPerson }) {
  const currency = (like.amount ?? like.last)?.currency ?? 'USD';
  return minor === null ? 'left out' : <Money amount={money(minor, currency)} />;
}

interface AmountsProps {
  draft: PayrollDraft;
  state: DraftState;
  sheet: DraftSheet;
  payable: readonly DraftPerson[];
  changed: number;
  wrong: ReadonlyMap<string, Wrong>;
  setWrong: (wrong: ReadonlyMap<string, Wrong>) => void;
}

function Amounts({ draft, state, sheet, payable, changed, wrong, setWrong }: AmountsProps) {
  const [search, setSearch] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const [announced, setAnnounced] = useState('');
  const { edits } = state;
  const shown = useMemo(() => {
    const words = search.trim().toLowerCase();
    return payable.filter(
      (person) =>
        (words === '' ||
          `${person.name} ${person.employeeId ?? ''}`.toLowerCase().includes(words)) &&
        (!isOnlyChanged || isChanged(person, edits)),
    );
  }, [payable, search, isOnlyChanged, edits]);
  return (
    <>
      <div className="pv__tools">
        <SearchField label="Search name or employee ID" value={search} onChange={setSearch} />
        <Checkbox
          name="onlyChanged"
          label={`Only changed ${formatCount(changed)}`}
          isChecked={isOnlyChanged}
          onChange={setOnlyChanged}
        />
        <span className="pv__more">
          <IconButton label="Undo" icon={Undo2} isDisabled={!state.canUndo} onPress={state.undo} />
        </span>
      </div>
      <DraftGrid
        label={`Amounts of ${draft.name}`}
        people={shown}
        everyone={payable}
        edits={edits}
        currency={draft.total.currency}
        lastOn={sheet.lastOn}
        wrong={wrong}
        onWrong={(id, problem) => {
          const next = new Map(wrong);
          if (problem === null) next.delete(id);
          else next.set(id, problem);
          setWrong(next);
        }}
        onChange={(change, words) => {
          state.change(change);
          if (words !== undefined) setAnnounced(words);
        }}
        onUndo={state.undo}
        onRedo={state.redo}
      />
      <div className="hint meta">
        <span className="hint__keys">Paste a column from a spreadsheet</span>
        <span className="hint__end num">{`Showing ${formatCount(shown.length)} of ${formatCount(payable.length)}`}</span>
      </div>
      <VisuallyHidden>
        <span role="status">{announced}</span>
      </VisuallyHidden>
    </>
  );
}

interface SumTableProps {
  all: Sums;
  byDepartment: ReadonlyMap<DraftPerson['department'], Sums>;
  currency: PayrollDraft['total']['currency'];
  lastOn: string | null;
}

/** Sums by department, of everyone, whatever is shown or found. */
function SumTable({ all, byDepartment, currency }: SumTableProps) {
  const row = (label: string, sums: Sums) => (
    <>
      <td>{label}</td>
      <td>{formatCount(sums.people)}</td>
      <td className="r">
        <Money amount={money(sums.lastMinor, currency)} />
      </td>
      <td className="r">
        <Money amount={money(sums.minor, currency)} />
      </td>
      <td className="r">
        <Difference
          minor={sums.minor}
          last={sums.lastMinor === 0n ? null : sums.lastMinor}
          currency={currency}
        />
      </td>
    </>
  );
  return (
    <div className="table-wrap">
      <table className="table table--dense grid--sums">
        <thead>
          <tr>
            <th scope="col">By department</th>
            <th scope="col">People</th>
            <th scope="col" className="r">
              Last time
            </th>
            <th scope="col" className="r">
              This time
            </th>
            <th scope="col" className="r">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {[...byDepartment].map(([department, sums]) => (
            <tr key={department}>{row(DEPARTMENTS[department], sums)}</tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            {row(
              `Total, ${all.people === 1 ? '1 person' : `${formatCount(all.people)} people`}`,
              all,
            )}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function SkippedTable({
  skipped,
  draft,
}: {
  skipped: readonly DraftPerson[];
  draft: PayrollDraft;
}) {
  if (skipped.length === 0) return null;
  return (
    <div className="table-wrap">
      <table className="table table--dense skipt">
        <thead>
          <tr>
            <th scope="col">Skipped</th>
            <th scope="col">Employee ID</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {skipped.slice(0, MOST_SKIPPED).map((person) => (
            <tr key={person.id}>
              <td>{person.name}</td>
              <td className="id">{person.employeeId}</td>
              <td>{person.problem !== null && reasonWords(person.problem, draft.walletType)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {skipped.length > MOST_SKIPPED && (
        <p className="pv__note meta num">{`The first ${MOST_SKIPPED} of ${formatCount(skipped.length)} are listed.`}</p>
      )}
    </div>
  );
}
const MOST_SKIPPED = 100;

interface FootProps extends DraftSheetViewProps {
  total: PayrollDraft['total'];
  wrongCount: number;
}

function Foot({ draft, state, onSent, onClose, total, wrongCount }: FootProps) {
  const write = useMoments();
  const [preview, setPreview] = useState<PayrollPreview>();
  const [isReviewing, setReviewing] = useState(false);
  const send = useMoneyMutation('adminSendPayrollDraft', {
    onSuccess: (batch) => {
      setPreview(undefined);
      onSent(batch);
    },
    onError: (error) => {
      if (isOutcomeUnknown(error)) return;
      setPreview(undefined);
      const message = errorMessage(error, 'Failed to process payroll');
      toast({ title: 'Payroll not sent', message, tone: 'critical' });
    },
  });

  async function review(): Promise<void> {
    setReviewing(true);
    try {
      if ((await state.saveNow()) === undefined) return;
      setPreview(await call('adminPreviewPayrollDraft', { params: { id: draft.id } }));
    } catch (error) {
      const message =
        error instanceof ApiError ? error.message : 'The preview could not be made. Try again.';
      toast({ title: 'Payroll not ready', message, tone: 'critical' });
    } finally {
      setReviewing(false);
    }
  }

  return (
    <div className="pv__foot">
      <p className="meta num">{savedWords(state, draft, write)} Nothing moves before the review.</p>
      <span className="pv__acts">
        <Button
          isPending={state.isSaving}
          pendingLabel="Saving"
          onPress={() => void state.saveNow().then(onClose)}
        >
          Save Draft
        </Button>
        <Button
          kind="money"
          isPending={isReviewing}
          pendingLabel="Reviewing"
          why={wrongCount > 0 ? 'Correct the amounts that are marked' : undefined}
          onPress={() => void review()}
        >
          Review Payroll <Money amount={total} />
        </Button>
      </span>
      {preview !== undefined && (
        <SendQuestion
          question={{ order: draft, preview }}
          outcome={send.outcome}
          onClose={() => setPreview(undefined)}
          onConfirm={() =>
            send.mutate({
              params: { id: draft.id },
              body: { previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash },
            })
          }
        />
      )}
    </div>
  );
}

function savedWords(
  { isSaving, hasPending }: DraftState,
  { changedAt }: PayrollDraft,
  write: ReturnType<typeof useMoments>,
): string {
  if (isSaving) return 'Saving.';
  return hasPending ? 'Not saved yet.' : `Draft saved ${write(changedAt, 'time')}.`;
}
