import type { Funding } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { Receipt } from '#web/kit/receipt.tsx';
import { Button } from '#web/ui/button.tsx';
import type { DatedStep } from '#web/ui/dated-rail.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';

interface FundingDoneProps {
  funding: Funding;
  /** Left out where one line was paid. */
  onAgain: (() => void) | undefined;
  onClose: () => void;
}

/** Result of a funding: paid, or waiting for a second admin. */
export function FundingDone({ funding, onAgain, onClose }: FundingDoneProps) {
  const { employee, wallet, reference, description, status, amount, type } = funding;
  const isPaid = funding.arrivedAt !== null;
  const account = `${wallet.name} ••${wallet.accountNumberLast4}`;
  return (
    <Receipt
      title={isPaid ? `${employee.name} is funded` : 'Funding waits for approval'}
      isPrintable={false}
      line={`${FUNDING_TYPES[type].label} to ${account}`}
      amount={amount}
      status={<Status status={status} isFinal={isPaid} />}
      rail={{ label: 'Funding progress', steps: stepsOf(funding, account) }}
      facts={[
        {
          label: 'Reference',
          value: reference,
          action: <CopyValue value={reference} label="Copy reference" />,
        },
        { label: 'Description', value: description },
        { label: 'Available', value: <Money amount={wallet.available} /> },
      ]}
      actions={onAgain !== undefined && <Button onPress={onAgain}>Fund Again</Button>}
      onClose={onClose}
    />
  );
}

function stepsOf(funding: Funding, account: string): DatedStep[] {
  const confirmed: DatedStep = {
    state: 'done',
    what: 'Confirmed',
    who: funding.confirmedBy,
    at: funding.confirmedAt,
  };
  if (funding.arrivedAt === null) {
    return [
      confirmed,
      { state: 'now', what: 'Waiting for a second administrator' },
      { state: 'next', what: 'Arrives', who: account },
    ];
  }
  return [confirmed, { state: 'arrived', what: 'Arrived', who: account, at: funding.arrivedAt }];
}
