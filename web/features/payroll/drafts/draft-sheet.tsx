import { Undo2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { PayrollDraft } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { counted, formatCount, formatDay, percentChange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { isChanged, sumUp } from './amounts.ts';
import type { DraftPerson, Sums } from './amounts.ts';
import { ChoosePeople } from './choose-people.tsx';
import { DraftFoot } from './draft-foot.tsx';
import { DraftGrid } from './draft-grid.tsx';
import { SkippedTable, SumTable, WalletSums } from './draft-sums.tsx';
import { Troubles } from './draft-troubles.tsx';
import type { DraftState, DraftWork, LoadedDraft } from './draft-work.ts';

interface DraftSheetProps {
  state: DraftState;
  work: DraftWork;
  /** All types of wallet of the payroll, as they were last read. */
  wallets: PayrollDraft['wallets'];
  hasWrongField: boolean;
  onClose: () => void;
}

/** People of a draft with their amounts and sums, and the button that reviews it. */
export function DraftSheet({ state, work, wallets, hasWrongField, ...leaving }: DraftSheetProps) {
  const { loaded, edits, wrong } = state;
  const { draft, people, lastOn } = loaded;
  const { currency } = draft.total;
  const { payable, skipped } = useMemo(() => divide(people), [people]);
  // A cell that is no amount is in no sum.
  const amounts = useMemo(
    () => new Map([...edits, ...Array.from(wrong.keys(), (id) => [id, null] as const)]),
    [edits, wrong],
  );
  const sums = useMemo(() => sumUp(payable, amounts), [payable, amounts]);
  const isOwn = draft.hasOwnAmounts;
  const total = isOwn ? money(sums.all.minor, currency) : draft.total;
  const employees = isOwn ? sums.all.people : draft.employees;
  const others = wallets.filter(({ id }) => id !== draft.id);
  const ofAll = money(
    others.reduce((sum, other) => sum + BigInt(other.total.minor), BigInt(total.minor)),
    currency,
  );
  const walletSums = others.length > 0 && (
    <WalletSums
      wallets={wallets.map((wallet) =>
        wallet.id === draft.id ? { ...wallet, employees, total } : wallet,
      )}
      total={ofAll}
    />
  );
  return (
    <section className="sheet pv" aria-label="Amounts">
      <div className="pv__head">
        <div>
          <h2 className="section-title">Preview</h2>
          <Balance amount={total} />
        </div>
        <p className="pv__count muted num">
          {counted(employees, 'employee')}
          {isOwn && <SkippedAndSince {...{ loaded }} skipped={skipped.length} sums={sums.all} />}
        </p>
      </div>
      <Troubles {...{ state, work }} />
      {isOwn ? (
        <>
          <Amounts {...{ state, work, payable }} changed={sums.all.changed} />
          <SumTable {...sums} currency={currency} lastOn={lastOn} />
          {walletSums}
          <SkippedTable skipped={skipped} draft={draft} />
        </>
      ) : (
        <>
          <EmptyState
            title="The same amount for each"
            hint="Review the payroll to see who will be paid and who will be skipped."
          />
          {walletSums}
        </>
      )}
      <DraftFoot {...{ state, work, hasWrongField, ...leaving }} total={ofAll} />
    </section>
  );
}

/** Those who can be paid, and those who would be skipped. */
function divide(people: readonly DraftPerson[]) {
  return {
    payable: people.filter(({ problem }) => problem === null),
    skipped: people.filter(({ problem }) => problem !== null),
  };
}

interface SinceProps {
  loaded: LoadedDraft;
  skipped: number;
  sums: Sums;
}

function SkippedAndSince({ loaded: { draft, lastOn }, skipped, sums }: SinceProps) {
  const percent = percentChange(sums.lastMinor, sums.minor);
  const { currency } = draft.total;
  return (
    <>
      {skipped > 0 && <span className="pv__skip">{`${skipped} will be skipped`}</span>}
      {percent !== undefined && lastOn !== null && (
        <span className="pv__since">
          <Money amount={money(sums.minor - sums.lastMinor, currency)} signs="always" /> ({percent})
          since {formatDay(lastOn, 'short')}
        </span>
      )}
    </>
  );
}

interface AmountsProps {
  state: DraftState;
  work: DraftWork;
  payable: readonly DraftPerson[];
  changed: number;
}

function Amounts({ state, work, payable, changed }: AmountsProps) {
  const [search, setSearch] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const [announced, setAnnounced] = useState('');
  const [isAdding, setAdding] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { edits, loaded } = state;
  const { draft, people } = loaded;
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
        <SearchField
          ref={field}
          label="Search name or employee ID"
          value={search}
          onChange={setSearch}
        />
        <Checkbox
          name="onlyChanged"
          label={`Only changed ${formatCount(changed)}`}
          isChecked={isOnlyChanged}
          onChange={setOnlyChanged}
        />
        <span className="pv__more">
          <TextLink href={`/admin/payroll/file?draft=${draft.partOf ?? draft.id}`}>
            From a file
          </TextLink>
          {draft.department === 'chosen' && (
            <Button shape="text" onPress={() => setAdding(true)}>
              Add People
            </Button>
          )}
          <IconButton label="Undo" icon={Undo2} isDisabled={!state.canUndo} onPress={work.undo} />
        </span>
      </div>
      <DraftGrid
        {...{ state, work }}
        people={shown}
        everyone={payable}
        onPasted={setAnnounced}
        onFind={() => field.current?.focus()}
      />
      {/* Count of the cells that were pasted and of those that were not: nobody looks through a thousand rows for it. */}
      <p className={announced === '' ? undefined : 'hint meta num'} role="status">
        {announced}
      </p>
      <div className="hint meta">
        <span className="hint__keys">Paste a column from a spreadsheet</span>
        <span className="hint__end num">{`Showing ${formatCount(shown.length)} of ${formatCount(payable.length)}`}</span>
      </div>
      {isAdding && (
        <ChoosePeople
          taken={new Set(people.map(({ id }) => id))}
          onClose={() => setAdding(false)}
          onChosen={(ids) => {
            work.add(ids);
            setAdding(false);
          }}
        />
      )}
    </>
  );
}
