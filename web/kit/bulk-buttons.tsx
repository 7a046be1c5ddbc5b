import type { OfferedAct, Thing } from '#contract/things/thing.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { decisionsOf } from './decision-dialog.tsx';

/** An act that was chosen for several rows. */
export interface BulkDeciding<Act extends string, Row> {
  act: Act;
  rows: readonly Row[];
}

interface BulkButtonsProps<T extends Thing, Act extends OfferedAct<T>, Row> {
  thing: T;
  /** Acts in the order of their buttons. */
  acts: readonly Act[];
  rows: readonly Row[];
  /** True where the server would take the act now. */
  may: (row: Row, act: Act) => boolean;
  onPress: (bulk: BulkDeciding<Act, Row>) => void;
}

/** A button for each act that some of the selected rows allow: "Approve 3". */
export function BulkButtons<T extends Thing, Act extends OfferedAct<T>, Row>({
  thing,
  acts,
  rows,
  may,
  onPress,
}: BulkButtonsProps<T, Act, Row>) {
  const decisions = decisionsOf(thing);
  return acts.map((act) => {
    const legal = rows.filter((row) => may(row, act));
    const { label, kind } = decisions[act];
    return (
      legal.length > 0 && (
        <Button key={act} kind={kind} onPress={() => onPress({ act, rows: legal })}>
          {`${label} ${formatCount(legal.length)}`}
        </Button>
      )
    );
  });
}
