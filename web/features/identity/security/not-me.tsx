import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction } from '#web/kit/action.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Time } from '#web/ui/time.tsx';

/** "This was not me": the user freezes their own payouts until an administrator has looked. */
export function NotMe() {
  const security = useQuery(apiQuery('getMySecurity', {}));
  const [isAsking, setIsAsking] = useState(false);
  const frozenAt = security.data?.payoutsFrozenAt ?? null;
  return (
    <Section title="Do you see something that was not you?">
      {frozenAt === null ? (
        <>
          <p className="muted">
            If you got a message about a change you did not make, or see a browser you do not know,
            freeze your payouts first. Then change your password.
          </p>
          <Button kind="danger" className="mt-4" onPress={() => setIsAsking(true)}>
            This Was Not Me
          </Button>
        </>
      ) : (
        <Notice tone="caution">
          Your payouts are frozen since <Time at={frozenAt} as="dateTime" />. An administrator
          checks what happened and releases them.
        </Notice>
      )}
      {isAsking && (
        <ConfirmAction
          title="Freeze your payouts?"
          keep="Cancel"
          confirm="Freeze Payouts"
          pending="Freezing"
          send={() => call('freezePayouts')}
          topics={['sessions']}
          done={{
            title: 'Payouts frozen',
            message: 'An administrator has been notified and will look at it.',
          }}
          failed="Payouts not frozen"
          onClose={() => setIsAsking(false)}
        >
          No money leaves your wallet until an administrator has checked and released the freeze.
        </ConfirmAction>
      )}
    </Section>
  );
}
