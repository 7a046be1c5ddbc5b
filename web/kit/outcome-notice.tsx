import { useIsSlow } from '#web/lib/use-is-slow.ts';
import { Notice } from '#web/ui/notice.tsx';

interface OutcomeNoticeProps {
  isSending: boolean;
  /** The last attempt has no answer. */
  isUnknown: boolean;
  /** What was sent, in a sentence: "your request", "this decision". */
  what: string;
  /** Where it shows once it arrived: "under Recent Withdrawals". */
  where: string;
}

/**
 * In the dialog of a command that must not be given twice: what is unknown while its answer does not come,
 * and how it will be known. The caller lets the person leave meanwhile, and sends a retry under the same key.
 */
export function OutcomeNotice({ isSending, isUnknown, what, where }: OutcomeNoticeProps) {
  const isSlow = useIsSlow(isSending);
  if (isSlow) {
    return (
      <Notice tone="caution" role="status">
        <p className="strong">This takes longer than usual.</p>
        <p>
          You may go back. If {what} arrived, it shows {where}.
        </p>
      </Notice>
    );
  }
  if (!isUnknown || isSending) return null;
  return (
    <Notice tone="caution" role="status">
      <p className="strong">It is not known whether {what} arrived.</p>
      <p>
        Send it again here once you are connected: it counts once, however often it is sent. Or go
        back and look {where} first.
      </p>
    </Notice>
  );
}
