import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { sentWords, type SentBatch } from './sent-batch.ts';
import './payroll.css';

/** Refusal of the last attempt, because the reviewed preview is out of date. */
export interface Stale {
  /** The refused order, as text. */
  order: string;
  /** Batch sent to the same people since. Null if the people themselves changed. */
  sent: SentBatch | null;
}

/**
 * True if a batch was sent that the admin has not reviewed yet. Nothing can be confirmed until
 * then.
 */
export function isSentMeanwhile(stale: Stale | undefined): boolean {
  return stale !== undefined && stale.sent !== null;
}

interface StaleNoticeProps {
  sent: SentBatch | null;
  onReview: () => void;
}

/** Explains in the preview why the last attempt was refused. */
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

/**
 * Warns in the preview that some of its people were paid recently, to prevent paying twice by
 * mistake.
 */
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
