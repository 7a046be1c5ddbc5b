import { MoneyRail, type RailStep } from '#web/ui/money-rail.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Steps } from '#web/ui/steps.tsx';
import { Ticks, type TickCount } from '#web/ui/ticks.tsx';

const statuses: StatusName[] = [
  'draft',
  'pending',
  'approved',
  'processing',
  'completed',
  'verified',
  'rejected',
  'failed',
  'cancelled',
  'submitted',
  'in_review',
  'resubmit_required',
];
const ticks: TickCount[] = [1, 2, 3, 4, 0];

export function StatusStates() {
  return (
    <div className="gallery__pairs">
      {statuses.map((status) => (
        <Status key={status} status={status} />
      ))}
      <Status status="approved" isFinal />
      <Status status="pending" label="Waiting" />
    </div>
  );
}

export function ProgressStates() {
  return (
    <div className="gallery__stack">
      {ticks.map((done) => (
        <Ticks key={done} done={done} />
      ))}
      <ProgressBar label="Documents" value={66} />
      <ProgressBar
        label="Employees paid"
        value={6}
        max={9}
        valueText="6 of 9 employees paid"
        isThin
      />
    </div>
  );
}

const maya = 'Maya Castellanos';
const renee = 'Renee Albright';

const inMotion: RailStep[] = [
  { state: 'done', what: 'Requested', who: maya, time: 'Dec 4', timeNote: '10:03 AM' },
  { state: 'done', what: 'Approved', who: renee, time: 'Dec 7', timeNote: '2:41 PM' },
  {
    state: 'now',
    what: 'Being sent',
    who: 'To Cascade Federal',
    time: 'Dec 9',
    timeNote: 'expected',
  },
  { state: 'next', what: 'Arrived', time: 'Dec 9–10', timeNote: 'expected' },
];
const arrived: RailStep[] = [
  { state: 'done', what: 'Requested', who: maya, time: 'Nov 18', timeNote: '6:55 PM' },
  { state: 'done', what: 'Approved', who: renee, time: 'Nov 19', timeNote: '9:12 AM' },
  { state: 'done', what: 'Sent', who: 'TXN-1795056918', time: 'Nov 19', timeNote: '9:40 AM' },
  {
    state: 'arrived',
    what: 'Arrived',
    who: 'Cascade Federal ••2208',
    time: 'Nov 20',
    timeNote: '8:15 AM',
  },
];
const rejected: RailStep[] = [
  { state: 'done', what: 'Requested', who: maya, time: 'Nov 16', timeNote: '9:20 AM' },
  {
    state: 'stop',
    what: 'Rejected',
    who: renee,
    note: 'Name on the check does not match.',
    time: 'Nov 16',
    timeNote: '2:05 PM',
  },
];
const cancelled: RailStep[] = [
  { state: 'done', what: 'Requested', who: maya, time: 'Nov 6', timeNote: '12:09 PM' },
  { state: 'void', what: 'Cancelled', who: maya, time: 'Nov 6', timeNote: '12:31 PM' },
];
const added: RailStep[] = [
  { state: 'done', what: 'Added', who: maya, time: 'Dec 7, 11:26 AM' },
  { state: 'now', what: 'Waiting for approval', who: 'With an administrator' },
  { state: 'next', what: 'Verified', time: 'Expected Dec 9' },
];

export function RailStates() {
  return (
    <>
      <div className="gallery__rails">
        <div>
          <p className="meta">Withdrawal, in motion</p>
          <MoneyRail label="Withdrawal in motion" layout="narrow" steps={inMotion} />
        </div>
        <div>
          <p className="meta">Withdrawal, arrived</p>
          <MoneyRail label="Withdrawal arrived" layout="narrow" steps={arrived} />
        </div>
        <div>
          <p className="meta">Rejected, cancelled: the rail ends there</p>
          <MoneyRail label="Withdrawal rejected" layout="narrow" steps={rejected} />
          <div className="gallery__rail-gap" />
          <MoneyRail label="Withdrawal cancelled" layout="narrow" steps={cancelled} />
        </div>
        <div>
          <p className="meta">Stacked, for narrow columns</p>
          <MoneyRail label="Bank account" layout="stacked" steps={added} />
        </div>
        <div>
          <p className="meta">Steps of a wizard</p>
          <Steps
            label="Steps"
            steps={['Personal Information', 'Contact Details', 'Identification', 'Review & Submit']}
            current={2}
          />
        </div>
      </div>
      <div className="gallery__lying">
        <p className="meta">Lying, for wide rows</p>
        <MoneyRail label="Withdrawal, lying" layout="lying" steps={inMotion} />
      </div>
    </>
  );
}
