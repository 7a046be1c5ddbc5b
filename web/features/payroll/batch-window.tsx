import { useEffect, useState } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { PAYROLL_CANCEL_SECONDS } from '#contract/payroll.ts';
import { call } from '#web/api/client.ts';
import { useDecision } from '#web/kit/use-decision.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { BATCH_DECISIONS, NOT_STOPPED, type AskedBatch, type OpenTask } from './batch-dialog.tsx';
import './payroll.css';

/** The fields of a payroll that stopping it needs. */
type StoppableBatch = AskedBatch & Pick<PayrollBatch, 'window'>;

const STOP = BATCH_DECISIONS.stop;

const TICK_MS = 250;
/** Seconds left at which a screen reader announces the time. */
const ANNOUNCED_S = [60, 30, 10];

/** Milliseconds left, counted down from the server's last answer. */
function useTimeLeft(leftMs: number): number {
  const [left, setLeft] = useState(leftMs);
  useEffect(() => {
    const until = performance.now() + leftMs;
    const timer = setInterval(() => setLeft(Math.max(0, until - performance.now())), TICK_MS);
    return () => clearInterval(timer);
  }, [leftMs]);
  return left;
}

/** "0:42"; from an hour on "5 h 12 min", from a day on "2 days 14 h" until a pay date. */
function clockWords(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  const hours = Math.floor(seconds / 3600);
  if (hours >= 24) return `${counted(Math.floor(hours / 24), 'day')} ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Text for screen readers. It does not change every second, so that they can read other things. */
function announcementAt(seconds: number): string {
  if (seconds === 0) return 'Sending';
  const mark = ANNOUNCED_S.findLast((each) => seconds <= each);
  return mark === undefined ? '' : `Less than ${mark} seconds until it is sent`;
}

/** Time until a payroll is sent, in large type, with the button that stops it. */
export function SendingWindow({ batch, window, onTask }: StopProps) {
  const leftMs = useTimeLeft(window.leftMs);
  const seconds = Math.ceil(leftMs / 1000);
  return (
    <div className="window">
      <div className="spread batch__line">
        <p>
          <span className="muted">Money moves in</span>
          <span className="balance num window__time" role="timer" aria-live="off">
            {clockWords(leftMs)}
          </span>
        </p>
        <StopPayroll batch={batch} window={window} onTask={onTask} />
      </div>
      <ProgressBar
        label="Time until the payroll is sent"
        value={window.ofMs - leftMs}
        max={window.ofMs}
        valueText={clockWords(leftMs)}
        isThin
      />
      <VisuallyHidden>
        <span role="status">{announcementAt(seconds)}</span>
      </VisuallyHidden>
      <p className="meta">
        Stopped, it is a draft again with all its amounts, and no employee is notified. Once the
        money has moved, single lines can be reversed.
      </p>
    </div>
  );
}
type Window = NonNullable<PayrollBatch['window']>;

/**
 * In a table row: the time a payroll is sent, and Stop. Renders nothing if it cannot be stopped.
 */
export function WindowRow({ batch, onTask }: { batch: StoppableBatch; onTask: OpenTask }) {
  if (batch.window === null) return null;
  return (
    <span className="window__row">
      <TimeLeft window={batch.window} />
      <StopPayroll batch={batch} window={batch.window} onTask={onTask} isRow />
    </span>
  );
}

function TimeLeft({ window }: { window: Window }) {
  const leftMs = useTimeLeft(window.leftMs);
  return (
    <span className="meta num" role="timer" aria-live="off">
      {leftMs === 0 ? 'Sending' : `Sends in ${clockWords(leftMs)}`}
    </span>
  );
}

/** Time in which somebody who has to be quick is not asked: the longest that a company sets. */
const QUICK_MS = (PAYROLL_CANCEL_SECONDS.most ?? 0) * 1000;

interface StopProps {
  batch: AskedBatch;
  window: Window;
  onTask: OpenTask;
}

/**
 * Stops a payroll. While only seconds are left it does so without a question, because a stopped payroll can be sent
 * again. One that waits for its pay date asks, as other decisions do.
 */
function StopPayroll({ batch, window, isRow = false, onTask }: StopProps & { isRow?: boolean }) {
  const isQuick = window.leftMs <= QUICK_MS;
  const stop = useDecision({
    send: (id: string, options) => call('adminStopPayroll', { params: { id } }, options),
    topic: 'payroll',
    done: ({ name }) => ({ title: STOP.done, message: `${name} is a draft. Nobody was paid.` }),
    unchanged: NOT_STOPPED,
    onSettled: () => undefined,
  });
  return (
    <Button
      kind={isRow ? 'outline' : STOP.kind}
      shape={isRow ? 'text' : 'standard'}
      aria-label={isRow ? `Stop ${batch.name}` : undefined}
      isPending={stop.isPending}
      pendingLabel={STOP.pending}
      onPress={() => (isQuick ? stop.mutate(batch.id) : onTask({ act: 'stop', batch }))}
    >
      {isRow ? 'Stop' : STOP.label}
    </Button>
  );
}
