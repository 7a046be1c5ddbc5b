import { formatMoney } from '#contract/money.ts';
import type { ListDeclaration } from '#contract/api.ts';
import { specOf } from '#contract/things/thing.ts';
import { PayoutDetailsButton } from '#web/kit/payout-details.tsx';
import { SelectionBar } from '#web/kit/selection-bar.tsx';
import type { ListState } from '#web/kit/use-list.ts';
import type { Selection } from '#web/kit/use-selection.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted, formatCount, titleCase } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { bulkActs, offersOf } from './acts.ts';
import { sumOf } from './bulk-decision.tsx';
import { nounOf, type Desk, type DeskRow } from './desk.ts';

/** An act that was chosen for several rows. */
export interface BulkDeciding {
  act: string;
  rows: readonly DeskRow[];
}

interface BulkBarProps {
  desk: Desk;
  state: ListState<ListDeclaration>;
  selection: Selection<DeskRow>;
  onReveal: (ids: readonly string[]) => void;
  onAct: (bulk: BulkDeciding) => void;
}

/** The selected rows, with a button for each act that some of them allow: "Approve 3". */
export function BulkBar({
  desk: { thing, reveal, alone },
  state,
  selection,
  onReveal,
  onAct,
}: BulkBarProps) {
  const { currency } = useCompany();
  const { rows } = selection;
  const sum = (of: readonly DeskRow[]) => formatMoney(sumOf(of, currency));
  const isAlone = (row: DeskRow, act: string) => act === alone?.act && alone.is(row);
  const offers = bulkActs(thing)
    .map((act) => ({
      act,
      decision: offersOf(thing)[act],
      of: rows.filter(
        (row) => isLegal(row, act) && !isAlone(row, act) && refusalOf(row, act) === undefined,
      ),
    }))
    .filter(({ of }) => of.length > 0);
  const isOnlyStep = offers.filter(({ decision }) => decision?.reason === undefined).length === 1;
  const aloneCount = rows.filter((row) => alone?.is(row)).length;
  return (
    <SelectionBar
      state={state}
      selection={selection as never}
      {...(thing.movesMoney && { sum: sum(rows) })}
      note={
        alone === undefined || aloneCount === 0
          ? undefined
          : `${formatCount(aloneCount)} must be ${specOf(thing, alone.act).past} one by one, because ${alone.because}`
      }
    >
      {reveal !== undefined && (
        <PayoutDetailsButton
          count={rows.length}
          onPress={() => onReveal(rows.map(({ id }) => id))}
        />
      )}
      {offers.map(({ act, decision, of }) => {
        const { label, kind, reason } = decision ?? {};
        return (
          <Button key={act} kind={kind} onPress={() => onAct({ act, rows: of })}>
            {isOnlyStep && reason === undefined
              ? `${label} ${titleCase(counted(of.length, nounOf(thing)))}${kind === 'money' ? ` ${sum(of)}` : ''}`
              : `${label} ${formatCount(of.length)}`}
          </Button>
        );
      })}
    </SelectionBar>
  );
}
