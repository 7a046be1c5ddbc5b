import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { counted } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { countedEntries } from './return-words.ts';
import './payouts.css';

/** Notice of what the bank sent back today, and of entries of returns files that an administrator has to decide. */
export function CameBackToday({ payouts }: { payouts: RouteReply<'adminGetPayouts'> }) {
  const { returnedToday, openReturns, openReturnsFileId } = payouts;
  if (returnedToday.count === 0 && openReturns === 0) return null;
  return (
    <div className="payout-notice">
      <Notice tone="caution">
        <p>
          {returnedToday.count > 0 && (
            <>
              <strong>{cameBackWords(returnedToday)}</strong> The money is back in{' '}
              {returnedToday.count === 1
                ? 'the wallet, and its owner was notified.'
                : 'the wallets, and their owners were notified.'}{' '}
            </>
          )}
          {openReturns > 0 &&
            `${countedEntries(openReturns)} of returns ${openReturns === 1 ? 'waits' : 'wait'} for a decision.`}
        </p>
        {openReturnsFileId === null ? (
          <TextLink href="/admin/returns">See the returns</TextLink>
        ) : (
          <TextLink href={`/admin/returns?file=${openReturnsFileId}`}>Decide</TextLink>
        )}
      </Notice>
    </div>
  );
}

function cameBackWords({
  count,
  total,
  fileNumbers,
}: RouteReply<'adminGetPayouts'>['returnedToday']): string {
  const file = fileNumbers.length === 1 ? ` of file ${fileNumbers[0]}` : '';
  return `${counted(count, 'payout')}${file} came back today, ${formatMoney(total)}.`;
}
