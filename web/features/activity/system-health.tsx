import type { AdminDashboard } from '#contract/api.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Stat } from '#web/ui/stat.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { Time } from '#web/ui/time.tsx';
import { BooksHealth } from './books-health.tsx';

type Health = AdminDashboard['systemHealth'];
type Part = keyof Health['checks'];

const PARTS: Record<Part, string> = {
  database: 'Database',
  queue: 'Queue',
  mail: 'Mail',
  storage: 'Storage',
  ledger: 'Ledger',
  replica: 'Replica',
};

interface SystemHealthProps {
  health: Health;
  /** True if the list of checks is open. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onShowFailed: () => void;
}

/** Share of health checks that passed, with the checks and their current state behind a button. */
export function SystemHealth({ health, isOpen, onOpen, onShowFailed }: SystemHealthProps) {
  const failed = failedWords(health.failedDeliveries);
  const transfers = transfersWords(health.failedTransfers);
  const refused = refusedWords(health.refusedPayments);
  const unsound = health.areBooksSound ? null : 'Books not sound';
  return (
    <>
      <Stat
        label="System Health"
        value={health.uptime === null ? 'Not measured' : `${health.uptime}%`}
        note={
          <TextButton onPress={() => onOpen(true)}>
            {unsound ?? failed ?? refused ?? transfers ?? 'Uptime, show checks'}
          </TextButton>
        }
      />
      <Dialog title="System Health" isOpen={isOpen} onClose={() => onOpen(false)}>
        <Facts
          facts={[
            ...Object.entries(PARTS).flatMap(([part, label]) => {
              const check = health.checks[part as Part];
              return check === null ? [] : [{ label, value: <CheckStatus check={check} /> }];
            }),
            {
              label: 'Backup tried',
              value: <DrillResult drill={health.restoreDrill} />,
            },
            {
              label: 'Last checked',
              value:
                health.checkedAt === null ? (
                  'Not yet'
                ) : (
                  <Time at={health.checkedAt} as="dateTime" />
                ),
            },
          ]}
        />
        {failed !== null && (
          <div className="mt-4">
            <Notice tone="critical">
              <p>{`${failed}: a mail, a live update or the start of a payroll could not be delivered.`}</p>
              <Button shape="small" className="mt-2" onPress={onShowFailed}>
                Show failed deliveries
              </Button>
            </Notice>
          </div>
        )}
        {refused !== null && (
          <div className="mt-4">
            <Notice tone="critical">
              <p>
                {`${refused}. Purser tries again each minute. `}
                <TextLink href="/admin/payouts">Payouts</TextLink> and{' '}
                <TextLink href="/admin/returns">Returns</TextLink> have the reasons.
              </p>
            </Notice>
          </div>
        )}
        {transfers !== null && (
          <div className="mt-4">
            <Notice tone="critical">
              <p>{`${transfers}. Purser tries again each minute. The money is in the wallet that was paid, and the server’s log has the cause.`}</p>
            </Notice>
          </div>
        )}
        <p className="meta mt-4">Uptime is the share of the last 30 days’ checks that passed.</p>
        <BooksHealth />
      </Dialog>
    </>
  );
}

/** Day on which a backup was restored for a trial, and if that failed: it could not be restored, or its books were not sound. */
function DrillResult({ drill }: { drill: Health['restoreDrill'] }) {
  if (drill === null) return 'Never';
  return (
    <>
      <Time at={drill.at} as="dateTime" />
      {!drill.isSound && ', failed'}
    </>
  );
}

/** "3 failed deliveries", or null if there are none. */
function failedWords(count: number): string | null {
  if (count === 0) return null;
  return `${formatCount(count)} failed ${count === 1 ? 'delivery' : 'deliveries'}`;
}

/** "Automatic transfers fail after 3 payments", or null if none fail. */
function transfersWords(count: number): string | null {
  return count === 0 ? null : `Automatic transfers fail after ${counted(count, 'payment')}`;
}

/** "2 payments not posted", or null if there are none. */
function refusedWords(count: number): string | null {
  return count === 0 ? null : `${counted(count, 'payment')} not posted`;
}

function CheckStatus({ check }: { check: NonNullable<Health['checks'][Part]> }) {
  if (check === 'up') return <Status status="active" label="Up" />;
  if (check === 'down') return <Status status="failed" label="Down" />;
  return <Status status="not_started" label="Not checked yet" />;
}
