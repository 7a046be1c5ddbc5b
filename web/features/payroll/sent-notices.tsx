import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { sentWords, type SentBatch } from './sent-batch.ts';
import './payroll.css';

/** Why the last attempt was refused: what was reviewed is not true any more. */
export interface Stale {
  /** The order it was about, as text. */
  order: string;
  /** What was sent to the same people since; null when it is the people who changed. */
  sent: SentBatch | null;
}

/** Whether a batch was sent that has not been reviewed yet: nothing can be confirmed before that. */
export function isSentMeanwhile(stale: Stale | undefined): boolean {
  return stale !== undefined && stale.sent !== null;
}

interface StaleNoticeProps {
  sent: SentBatch | null;
  onReview: () => void;
}

/** Says in the preview why the last attempt was refused. */
export function StaleNotice({ sent, onReview }: StaleNoticeProps) {
  const [now] = useState(() => new Date());
  const write = useMoments();
  return (
    <div className="preview__warning">
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
            <Button shape="small" className="mt-2" onPress={onReview}>
              Review again
            </Button>
          </>
        )}
      </Notice>
    </div>
  );
}

/** Says in the preview that people of it were paid lately: paying them twice must be meant. */
export function SentBefore({ batch }: { batch: SentBatch }) {
  const [now] = useState(() => new Date());
  const write = useMoments();
  return (
    <div className="preview__warning">
      <Notice tone="caution" role="status">
        {sentWords(batch, write, now)}
      </Notice>
    </div>
  );
}
