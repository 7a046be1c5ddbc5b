import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { PayrollForm } from './payroll-form.ts';
import { DEPARTMENT_OPTIONS, WALLET_OPTIONS } from './words.ts';

/** That a payday is near without a payroll, and what was sent last, to fill the form with. */
export function DueNotice({ payroll }: { payroll: PayrollForm }) {
  const { data } = useQuery(apiQuery('adminGetPayrollStats', {}));
  if (data === undefined || data.due === null) return null;
  const { on, last } = data.due;
  return (
    <div className="mb-4">
      <Notice tone="caution">
        <span className="strong">Payroll is due on {formatDay(on, 'weekday')}.</span>{' '}
        {last === null ? (
          'None was sent yet.'
        ) : (
          <>
            Last time: {formatMoney(last.amount)} to each of{' '}
            {labelOf(DEPARTMENT_OPTIONS, last.department)}, into the{' '}
            {labelOf(WALLET_OPTIONS, last.walletType)}.{' '}
            <Button kind="quiet" shape="text" onPress={() => payroll.fill(last)}>
              Fill In Last Payroll
            </Button>
          </>
        )}
      </Notice>
    </div>
  );
}

function labelOf(options: readonly { value: string; label: string }[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
