import { useState, useSyncExternalStore } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import {
  leaveRun,
  runsInBackground,
  runsVersion,
  subscribeToRuns,
  type BulkRun,
} from './bulk-runs.ts';
import './bulk-progress.css';

/** Progress of bulk acts whose screens were left. Mounted once, in the layout around all screens. */
export function BulkProgress() {
  useSyncExternalStore(subscribeToRuns, runsVersion, runsVersion);
  const [shown, setShown] = useState<BulkRun>();
  const runs = runsInBackground();
  return (
    <>
      {runs.length > 0 && (
        <section className="bulk-runs" aria-label="Running in the background">
          {runs.map((run) => (
            <Line key={run.id} run={run} onShow={() => setShown(run)} />
          ))}
        </section>
      )}
      {shown !== undefined &&
        !shown.isRunning &&
        shown.drawResults(() => {
          leaveRun(shown);
          setShown(undefined);
        })}
    </>
  );
}

function Line({ run, onShow }: { run: BulkRun; onShow: () => void }) {
  const total = formatCount(run.total);
  return (
    <div className="bulk-runs__line">
      <span className="num" role={run.isRunning ? undefined : 'status'}>
        {run.isRunning
          ? `${run.label} ${formatCount(Math.min(run.turns + 1, run.total))} of ${total}`
          : `${run.label} finished: ${formatCount(run.done)} of ${total} done`}
      </span>
      {run.isRunning && <progress max={run.total} value={run.turns} aria-label={run.label} />}
      {run.isRunning ? (
        <Button shape="text" onPress={() => run.stop()}>
          Stop
        </Button>
      ) : (
        <Button shape="text" onPress={onShow}>
          Show Results
        </Button>
      )}
    </div>
  );
}
