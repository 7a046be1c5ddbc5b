import type { PayrollDraft, PayrollFileCheck } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { Download } from 'lucide-react';
import { useAction } from '#web/kit/action.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { useKeptFocus } from '#web/ui/use-settled-focus.ts';
import { AbsentPeople, openAbsent, sumOfChoice } from './absent-people.tsx';
import { LeftOut, Problems } from './file-rows.tsx';
import type { CheckedFile, FileAmountsWork } from './use-file-amounts.ts';

interface FileSheetProps {
  draft: PayrollDraft;
  work: FileAmountsWork;
  checked: CheckedFile;
  /** Minor units as they were typed; null while they were not, `none` where the report states none. */
  controlTotal: bigint | 'none' | null;
  onMatch: () => void;
  fillIn: { isPending: boolean; mutate: (controlTotal: string) => void };
}

/** The check of a file: its sum, what is to fix, what is left out, and the button that fills in the amounts. */
export function FileSheet({ draft, work, checked, controlTotal, onMatch, fillIn }: FileSheetProps) {
  const { check, leftOut } = checked;
  const { counts, filled, missing } = check;
  const decide = useAction({
    send: (rows: readonly number[]) => work.leaveOut(checked, rows),
    failed: 'Not checked',
  });
  const sheet = useKeptFocus<HTMLElement>(leftOut.length > 0 || decide.isPending);
  const saveErrors = useAction({ send: () => work.saveErrors(checked), failed: 'Not saved' });
  const absent = openAbsent(check, work.absent);
  const why = whyNot(check, { controlTotal, absent });
  const asLast = sumOfChoice(check, work.absent, 'last');
  const amounts = check.wallets.reduce((sum, { employees }) => sum + employees, asLast.people);
  return (
    <section ref={sheet} className="sheet" aria-label="Ready to fill in" tabIndex={-1}>
      <div className="sheet__head sheet__head--tall import__head">
        <div>
          <h2 className="section-title">Ready to fill in</h2>
          <Balance amount={money(BigInt(filled.minor) + asLast.minor, filled.currency)} />
        </div>
        <p className="import__counts muted num" role="status">
          {`${formatCount(counts.employees)} of ${counted(counts.rows, 'row')}`}
          {counts.blank > 0 && <span>{`${formatCount(counts.blank)} without an amount`}</span>}
          {counts.leftOut > 0 && <span>{`${formatCount(counts.leftOut)} left out`}</span>}
          {controlTotal === BigInt(check.total.minor) && (
            <span className="import__good">Agrees with the control total</span>
          )}
          {counts.problems > 0 && (
            <span className="import__bad">{`${formatCount(counts.problems)} to fix`}</span>
          )}
          {absent > 0 && <span>{`${formatCount(absent)} to decide`}</span>}
        </p>
      </div>
      {missing.length > 0 ? (
        <EmptyState
          title="Which column is which?"
          hint={`Choose the column of ${missing.join(' and of ')}.`}
          action={
            <Button kind="solid" onPress={onMatch}>
              Match Columns
            </Button>
          }
        />
      ) : (
        <>
          <div className="import__run">
            <Facts isTight facts={sumsOf(check, controlTotal, asLast.minor)} />
          </div>
          {check.problems.length > 0 && (
            <Problems
              {...{ check, leftOut }}
              isPending={decide.isPending}
              onLeaveOut={(row) => decide.mutate([...leftOut, row])}
            />
          )}
          {check.leftOut.length > 0 && (
            <LeftOut
              rows={check.leftOut}
              isPending={decide.isPending}
              onUndo={(row) => decide.mutate(leftOut.filter((one) => one !== row))}
            />
          )}
          {counts.absent > 0 && <AbsentPeople {...{ check, work }} />}
        </>
      )}
      <div className="spread import__foot">
        {why === undefined && <p className="meta">{footWords(draft)}</p>}
        {counts.problems > 0 && (
          <Button isPending={saveErrors.isPending} onPress={() => saveErrors.mutate(undefined)}>
            <Icon of={Download} size={16} />
            Download Errors
          </Button>
        )}
        <Button
          kind="solid"
          isPending={fillIn.isPending}
          pendingLabel="Filling in"
          why={why}
          onPress={() => {
            if (controlTotal !== null) fillIn.mutate(controlTotal.toString());
          }}
        >
          {counts.problems === 0 && missing.length === 0
            ? `Fill In ${counted(amounts, 'Amount')}`
            : 'Fill In Amounts'}
        </Button>
      </div>
    </section>
  );
}

function footWords({ employees }: PayrollDraft): string {
  return employees === 0
    ? 'Nothing moves before you review and send the payroll.'
    : 'Replaces the amounts in this draft. Nothing moves before you review and send it.';
}

/** Reason for which nothing can be filled in now; undefined if it can. */
function whyNot(
  { counts, missing, total }: PayrollFileCheck,
  { controlTotal, absent }: Pick<FileSheetProps, 'controlTotal'> & { absent: number },
): string | undefined {
  if (missing.length > 0) return 'Choose the columns first.';
  if (counts.problems > 0) {
    return `First fix ${counted(counts.problems, 'error')}: correct the file and replace it, or leave rows out.`;
  }
  if (counts.employees === 0) return 'No row of the file has an amount to fill in.';
  if (absent > 0) {
    return `First choose what becomes of ${counted(absent, 'employee')} not in the file.`;
  }
  if (controlTotal === null) return 'Type the control total, or say that the report states none.';
  if (controlTotal === 'none' || controlTotal === BigInt(total.minor)) return undefined;
  return 'The sum of the file is not the control total.';
}

function sumsOf(
  { counts, filled, total, wallets, breakdown }: PayrollFileCheck,
  controlTotal: FileSheetProps['controlTotal'],
  asLastMinor: bigint,
) {
  const { currency } = total;
  const differs = typeof controlTotal === 'bigint' && controlTotal !== BigInt(total.minor);
  return [
    ...(wallets.length > 1
      ? wallets.map((wallet) => ({
          label: WALLET_LABELS[wallet.walletType],
          value: (
            <>
              <Money amount={wallet.total} />{' '}
              <span className="meta num">{counted(wallet.employees, 'employee')}</span>
            </>
          ),
        }))
      : []),
    { label: 'Sum of the file', value: <Money amount={total} /> },
    ...(typeof controlTotal === 'bigint'
      ? [{ label: 'Control total', value: <Money amount={money(controlTotal, currency)} /> }]
      : []),
    ...(differs
      ? [
          {
            label: 'Difference',
            value: (
              <span className="import__bad strong">
                <Money
                  amount={money(BigInt(total.minor) - controlTotal, currency)}
                  signs="always"
                />
              </span>
            ),
          },
        ]
      : []),
    ...(counts.leftOut > 0
      ? [
          {
            label: 'Without what is left out',
            value: <Money amount={filled} />,
          },
        ]
      : []),
    ...(asLastMinor === 0n
      ? []
      : [
          {
            label: 'As last time, not in the file',
            value: <Money amount={money(asLastMinor, currency)} />,
          },
        ]),
    ...(breakdown === null
      ? []
      : [
          { label: 'Gross, on payslips', value: <Money amount={breakdown.gross} /> },
          { label: 'Deductions, on payslips', value: <Money amount={breakdown.deductions} /> },
        ]),
  ];
}
