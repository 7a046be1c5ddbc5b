import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';

interface ReportNotMeProps {
  /** Of a changed address, or of any other security notice. */
  operation: 'reportEmailChange' | 'reportNotice';
  token: string;
  onDone: () => void;
}

const WORDS = {
  reportEmailChange: {
    what: 'The email address of your account was changed. If you did not do that, take it back: your payouts are frozen until an administrator has looked, and you choose a new password.',
    pending: 'Taking it back',
  },
  reportNotice: {
    what: 'We sent you a message about your account. If that was not you, say so: everyone is signed out, your payouts are frozen until an administrator has looked, and you choose a new password.',
    pending: 'Signing everyone out',
  },
} as const;

/** Opened from a mail. It asks first: programs that check mail open links, too. */
export function ReportNotMe({ operation, token, onDone }: ReportNotMeProps) {
  const { what, pending } = WORDS[operation];
  const report = useMutation({
    mutationFn: () => call(operation, { body: { token } }),
  });
  return (
    <>
      <PageTitle>This was not you?</PageTitle>
      {report.isSuccess ? (
        <Notice tone="positive">
          Your payouts are frozen, and everyone is signed out. Ask for a new password at this
          address, then sign in.
        </Notice>
      ) : (
        <p className="muted mt-1">{what}</p>
      )}
      {report.error !== null && (
        <Notice tone="critical" role="alert">
          {errorMessage(report.error, 'Nothing was changed. Please try again.')}
        </Notice>
      )}
      <div className="mt-6">
        {report.isSuccess ? (
          <Button kind="solid" shape="block" onPress={onDone}>
            Continue
          </Button>
        ) : (
          <Button
            kind="danger"
            shape="block"
            isPending={report.isPending}
            pendingLabel={pending}
            onPress={() => report.mutate()}
          >
            This Was Not Me
          </Button>
        )}
      </div>
    </>
  );
}
