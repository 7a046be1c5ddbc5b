import { OwnRecoveries } from '#web/features/payroll/recoveries/own-recoveries.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** `/employee/recovery` */
export function RecoveryPage() {
  return (
    <>
      <p className="mb-3">
        <TextLink href="/employee/history">Transaction History</TextLink>
      </p>
      <ScreenHead subtitle="Pay that you got by mistake, and what of it is taken from later payrolls." />
      <OwnRecoveries />
    </>
  );
}
