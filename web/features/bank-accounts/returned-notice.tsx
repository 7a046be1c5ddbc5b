import type { ReactNode } from 'react';
import type { BankAccount } from '#contract/api.ts';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';

type Returned = Pick<BankAccount, 'bankName' | 'status' | 'returned'>;

/** The payout that the bank sent back from an account, with its reason, and what follows; nothing without one. */
export function ReturnedNotice({ account, children }: { account: Returned; children?: ReactNode }) {
  const { bankName, status, returned } = account;
  if (returned === null) return null;
  return (
    <div className="mt-4">
      <Notice tone={status === 'returned' ? 'critical' : 'caution'}>
        <p>
          <span className="strong">
            {bankName} sent back <Money amount={returned.amount} />
          </span>{' '}
          ({returned.reference}) on <Time at={returned.at} as="date" by="company" />. Reason:{' '}
          {returned.reason}
        </p>
        {children}
      </Notice>
    </div>
  );
}
