import { Pause } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { AutomaticTransfers, RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ActionButton, useAction } from '#web/kit/action.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { TransferExample } from './example.tsx';
import { RuleList } from './rule-list.tsx';
import { TransferRuns } from './runs.tsx';
import './transfers.css';

const RuleDialog = loadedDialog(async () => (await import('./rule-dialog.tsx')).RuleDialog);

interface TransfersProps {
  of: AutomaticTransfers;
  all: RouteReply<'getAutomaticTransfers'>;
  /** True while a new rule is filled in. */
  isAdding: boolean;
  onAdd: (isAdding: boolean) => void;
  /** The choice of the account; left out where there is one. */
  choice?: ReactNode;
}

/** The automatic transfers of one account, what they would have done, and their runs. */
export function Transfers({ of, all, isAdding, onAdd, choice }: TransfersProps) {
  const [changed, setChanged] = useState<number>();
  const { rules } = of;
  return (
    <>
      {of.pausedAt !== null && rules.length > 0 && <Paused of={of} nextRunOn={all.nextRunOn} />}
      <div className="transfers">
        <div>
          {rules.length === 0 ? (
            <>
              {choice !== undefined && <div className="transfers__from">{choice}</div>}
              <div className="sheet transfers__none">
                <EmptyState
                  title="No automatic transfers"
                  hint="Save a part of every payroll, or send what you do not need to your bank. They run right after a payroll, so you do not have to remember."
                  action={
                    <Button kind="solid" onPress={() => onAdd(true)}>
                      Add Transfer
                    </Button>
                  }
                />
              </div>
            </>
          ) : (
            <Section
              title={counted(rules.length, 'transfer')}
              end={
                choice ?? (
                  <span className="muted num">{`From ${of.walletName} ••${of.walletLast4}`}</span>
                )
              }
            >
              <RuleList of={of} onChange={setChanged} />
              <NextRun of={of} nextRunOn={all.nextRunOn} />
              <p className="meta transfers__note">
                If there is not enough for one, what is there is transferred and you are notified;
                the others still run. What you hold for bills and withdrawals is never used. A
                payroll that is taken back does not undo them.
              </p>
            </Section>
          )}
          <TransferRuns runs={of.runs} />
        </div>
        <TransferExample of={of} />
      </div>
      {(isAdding || changed !== undefined) && (
        <RuleDialog
          of={of}
          targets={all.targets}
          index={isAdding ? undefined : changed}
          onClose={() => {
            onAdd(false);
            setChanged(undefined);
          }}
        />
      )}
    </>
  );
}

function Paused({
  of: { pausedAt, walletName },
  nextRunOn,
}: {
  of: AutomaticTransfers;
  nextRunOn: string | null;
}) {
  const write = useMoments();
  if (pausedAt === null) return null;
  return (
    <div className="mb-6">
      <Notice tone="caution">
        <span className="strong">Paused since {write(pausedAt, 'shortDateTime')}.</span>{' '}
        {nextRunOn === null
          ? 'Your next payroll'
          : `Your payroll of ${formatDay(nextRunOn, 'weekday')}`}{' '}
        stays in {walletName}.
      </Notice>
    </div>
  );
}

/** The day of the next run, and the buttons that pause or skip it. */
function NextRun({ of, nextRunOn }: { of: AutomaticTransfers; nextRunOn: string | null }) {
  const { walletId: id, pausedAt, skipsNext } = of;
  const topics = ['payments'] as const;
  const pause = useAction({
    send: (_: void, options) => call('pauseAutomaticTransfers', { params: { id } }, options),
    topics,
    done: { title: 'Transfers Paused' },
    failed: 'Transfers not paused',
  });
  const resume = useAction({
    send: (_: void, options) => call('resumeAutomaticTransfers', { params: { id } }, options),
    topics,
    done: { title: 'Transfers Started Again' },
    failed: 'Transfers not started',
  });
  const skip = useAction({
    send: (_: void, options) =>
      call('skipAutomaticTransfers', { params: { id }, body: { isSkipped: !skipsNext } }, options),
    topics,
    done: { title: skipsNext ? 'Next Run Stays' : 'Next Run Skipped' },
    failed: 'The next run was not changed',
  });
  if (pausedAt !== null) {
    return (
      <div className="spread transfers__next">
        <p className="strong">No run planned</p>
        <ActionButton kind="solid" action={resume} pending="Starting">
          Start Again
        </ActionButton>
      </div>
    );
  }
  return (
    <div className="spread transfers__next">
      <p>
        <span className="strong">
          {nextRunOn === null
            ? 'Next run: after your next payroll'
            : `Next run: ${formatDay(nextRunOn, 'weekday')}`}
        </span>
        <span className="muted">
          {skipsNext ? ', which is skipped' : nextRunOn !== null && ', after your payroll'}
        </span>
      </p>
      <span className="transfers__buttons">
        <ActionButton action={skip} pending="Saving">
          {skipsNext ? 'Run It' : 'Skip Next'}
        </ActionButton>
        <ActionButton action={pause} pending="Pausing">
          <Icon of={Pause} size={16} />
          Pause All
        </ActionButton>
      </span>
    </div>
  );
}
