import { useState } from 'react';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { sentWords, type SentBatch } from './sent-batch.ts';

/**
 * Explains why the last attempt was refused: its preview was out of date.
 *
 * @param props.sent batch that was sent to the same people since; null if the people themselves changed
 */
export function StaleNotice({ sent }: { sent: SentBatch | null }) {
  const [now] = useState(() => new Date());
  const write = useMoments();
  return (
    <Notice tone="caution" role="alert">
      {sent === null ? (
        'The employees or their accounts changed since the preview. Please review it again.'
      ) : (
        <>
          <p>
            Your payroll was not sent: another one went to these employees, or some of them, after
            this preview.
          </p>
          <p>{sentWords(sent, write, now)}</p>
        </>
      )}
    </Notice>
  );
}

/**
 * Warns in the preview that some of its people were paid recently, to prevent paying twice by
 * mistake.
 */
export function SentBefore({ batch }: { batch: SentBatch }) {
  const [now] = useState(() => new Date());
  const write = useMoments();
  return (
    <Notice tone="caution" role="status">
      {sentWords(batch, write, now)}
    </Notice>
  );
}
