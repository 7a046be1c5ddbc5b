import { useIsSlow } from '#web/lib/use-is-slow.ts';
import { Notice } from '#web/ui/notice.tsx';

interface OutcomeNoticeProps {
  isSending: boolean;
  /** The last attempt has no answer. */
  isUnknown: boolean;
  /** Name of the request in a sentence: "your request", "this decision". */
  what: string;
  /** Place where it shows once it arrived: "under Recent Withdrawals". */
  where: string;
}

/**
 * In the dialog of a command that must not be given twice: what is unknown while its answer does not come,
 * and how it will be known. The caller lets the person leave in the meantime, and sends a retry under the same key.
 */
export function OutcomeNotice({ isSending, isUnknown, what, where }: OutcomeNoticeProps) {
  const isSlow = useIsSlow(isSending);
  if (isSlow) {
    return (
      <Notice tone="caution" role="status">
        <p className="strong">This is taking longer than usual.</p>
        <p>
          You can go back. If {what} went through, it appears {where}.
        </p>
      </Notice>
    );
  }
  if (!isUnknown || isSending) return null;
  return (
    <Notice tone="caution" role="status">
      <p className="strong">We can’t tell whether {what} went through.</p>
      <p>
        Send it again here when you are connected. It is safe: nothing is done twice. Or go back and
        look {where} first.
      </p>
    </Notice>
  );
}
