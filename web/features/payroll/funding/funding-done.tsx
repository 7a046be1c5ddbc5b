import type { Funding } from '#contract/api.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { Button } from '#web/ui/button.tsx';
import { DatedRail, type DatedStep } from '#web/ui/dated-rail.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import './funding.css';

interface FundingDoneProps {
  funding: Funding;
  onAgain: () => void;
  onClose: () => void;
}

/** Result of a funding: paid, or waiting for a second admin. */
export function FundingDone({ funding, onAgain, onClose }: FundingDoneProps) {
  const { employee, wallet, reference, description, status, amount, type } = funding;
  const isPaid = funding.arrivedAt !== null;
  const account = `${wallet.name} ••${wallet.accountNumberLast4}`;
  return (
    <Dialog
      title={isPaid ? `${employee.name} is funded` : 'Funding waits for approval'}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onAgain}>Fund Again</Button>
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="funding">
        <div className="funding__head">
          <div>
            <p className="muted">
              {FUNDING_TYPES[type].label} to {account}
            </p>
            <Balance amount={amount} signs="always" />
          </div>
          <Status status={status} isFinal={isPaid} />
        </div>
        <DatedRail label="Funding progress" steps={stepsOf(funding, account)} />
        <Facts
          isTight
          facts={[
            {
              label: 'Reference',
              value: reference,
              action: <CopyValue value={reference} label="Copy reference" />,
            },
            { label: 'Description', value: description },
            { label: 'Available', value: <Money amount={wallet.available} /> },
          ]}
        />
      </div>
    </Dialog>
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
