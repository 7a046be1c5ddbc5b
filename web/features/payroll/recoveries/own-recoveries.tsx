import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Recovery } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction } from '#web/kit/action.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RecoveryView } from './recovery-view.tsx';

/** Recoveries that were proposed to the person, who accepts or declines each. */
export function OwnRecoveries() {
  const query = useQuery(apiQuery('getRecoveries', {}));
  const [asked, setAsked] = useState<{ act: 'accept' | 'decline'; recovery: Recovery }>();
  const close = () => setAsked(undefined);
  return (
    <LoadedQuery query={query} what="the recoveries" lines={6}>
      {({ recoveries }) => (
        <>
          {recoveries.length === 0 && (
            <EmptyState
              title="Nothing to pay back"
              hint="Your company asks you here if you were paid too much."
            />
          )}
          {recoveries.map((recovery) => (
            <div className="section" key={recovery.id}>
              <RecoveryView
                recovery={recovery}
                title={`${formatMoney(recovery.amount)} of ${recovery.payment.description}`}
                actions={
                  recovery.status === 'proposed' && (
                    <>
                      <Button kind="solid" onPress={() => setAsked({ act: 'accept', recovery })}>
                        Accept
                      </Button>
                      <Button onPress={() => setAsked({ act: 'decline', recovery })}>
                        Decline
                      </Button>
                    </>
                  )
                }
              >
                {recovery.status === 'proposed' && <Asked recovery={recovery} />}
              </RecoveryView>
            </div>
          ))}
          {asked?.act === 'accept' && <Accept recovery={asked.recovery} onClose={close} />}
          {asked?.act === 'decline' && <Decline recovery={asked.recovery} onClose={close} />}
        </>
      )}
    </LoadedQuery>
  );
}

function Asked({ recovery }: { recovery: Recovery }) {
  return (
    <Notice tone="caution">
      <strong>{`${recovery.proposed.by} asks you to pay ${formatMoney(recovery.amount)} back.`}</strong>{' '}
      Nothing is taken unless you accept by {formatDay(recovery.answerBy, 'date')}.
    </Notice>
  );
}

function Accept({ recovery, onClose }: { recovery: Recovery; onClose: () => void }) {
  const { id, instalment, percent, left } = recovery;
  return (
    <ConfirmAction
      title="Accept this recovery?"
      keep="Not Now"
      confirm="Accept"
      pending="Accepting"
      kind="solid"
      send={(_, options) => call('acceptRecovery', { params: { id } }, options)}
      topics={['wallets']}
      done={{ title: 'Recovery Accepted', message: `${formatMoney(left)} is paid back in parts.` }}
      failed="Recovery not accepted"
      onClose={onClose}
    >
      {formatMoney(instalment)} is taken from each payroll, and never more than {percent}% of a
      payment, until {formatMoney(left)} is paid back. It ends if you leave.
    </ConfirmAction>
  );
}

function Decline({ recovery, onClose }: { recovery: Recovery; onClose: () => void }) {
  return (
    <ConfirmAction
      title="Decline this recovery?"
      keep="Not Now"
      confirm="Decline"
      pending="Declining"
      send={(_, options) => call('declineRecovery', { params: { id: recovery.id } }, options)}
      topics={['wallets']}
      done={{ title: 'Recovery Declined', message: 'Nothing is taken.' }}
      failed="Recovery not declined"
      onClose={onClose}
    >
      Nothing is taken. Your company is notified, and may ask you again.
    </ConfirmAction>
  );
}
