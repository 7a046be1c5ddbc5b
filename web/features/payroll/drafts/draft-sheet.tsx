import { Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PayrollBatch, PayrollDraft } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { counted, formatCount, formatDay, percentChange } from '#web/lib/format.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { isChanged, sumUp } from './amounts.ts';
import type { DraftPerson, Sums } from './amounts.ts';
import { DraftFoot } from './draft-foot.tsx';
import { DraftGrid } from './draft-grid.tsx';
import type { Wrong } from './draft-row.tsx';
import { SkippedTable, SumTable } from './draft-sums.tsx';
import { Troubles } from './draft-troubles.tsx';
import type { DraftSheet, DraftState } from './use-draft.ts';

interface DraftSheetViewProps {
  draft: PayrollDraft;
  state: DraftState;
  onSent: (batch: PayrollBatch) => void;
  onClose: () => void;
}

/** People of a draft with their amounts and sums, and the button that reviews it. */
export function DraftSheetView({ draft, state, onSent, onClose }: DraftSheetViewProps) {
  const { currency } = draft.total;
  const [wrong, setWrong] = useState<ReadonlyMap<string, Wrong>>(new Map());
  const { sheet, edits } = state;
  const { payable, skipped } = useMemo(() => divide(sheet.data), [sheet.data]);
  // A cell that is no amount is in no sum.
  const amounts = useMemo(
    () => new Map([...edits, ...Array.from(wrong.keys(), (id) => [id, null] as const)]),
    [edits, wrong],
  );
  const sums = useMemo(() => sumUp(payable, amounts), [payable, amounts]);
  useUnsavedWork(wrong.size > 0, 'screen');
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
      <DraftFoot {...{ draft, state, onSent, onClose, total }} wrongCount={wrong.size} />
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
  const percent = percentChange(sums.lastMinor, sums.minor);
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
