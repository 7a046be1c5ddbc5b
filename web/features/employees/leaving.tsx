import type { EmployeePage } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { counted } from '#web/lib/format.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';

/** Effects of deactivating a person, shown beforehand: sign-in, pay and money. */
export function LeavingFacts({ person }: { person: EmployeePage }) {
  const { sessions, wallets, inProgress } = person;
  const { withdrawals, held, deposits, bills, billsHeld } = inProgress;
  return (
    <Facts
      isTight
      facts={[
        {
          label: 'Sign-in',
          value:
            sessions === 0 ? 'No longer possible' : `Ends now, in ${counted(sessions, 'session')}`,
        },
        { label: 'Payroll', value: 'Left out from now on' },
        {
          label: 'Wallets',
          value: (
            <>
              <Money amount={balanceOf(person)} /> stays in {counted(wallets.length, 'account')}
            </>
          ),
        },
        {
          label: 'Withdrawals',
          value:
            withdrawals === 0 ? (
              'None on their way'
            ) : (
              <>
                <Money amount={held} /> on its way in {counted(withdrawals, 'request')}
              </>
            ),
        },
        ...(deposits > 0
          ? [{ label: 'Deposits', value: `${counted(deposits, 'request')} to be decided` }]
          : []),
        ...(bills > 0
          ? [
              {
                label: 'Bills',
                value: (
                  <>
                    <Money amount={billsHeld} /> held for {counted(bills, 'bill')}
                  </>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Total of the person's accounts, including money that is held for pending requests. */
export function balanceOf({ wallets, available }: Pick<EmployeePage, 'wallets' | 'available'>) {
  const minor = wallets.reduce((sum, { balance }) => sum + BigInt(balance.minor), 0n);
  return money(minor, available.currency);
}
