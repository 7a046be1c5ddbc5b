import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Glyph } from '#web/ui/glyph.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { shortMonth, tasksOf } from './month-words.ts';
import type { Month } from './month-words.ts';

/** Conditions for closing a month, the tasks among them in bold with a link, and the button that closes it. */
export function MonthChecks({ month, onClose }: { month: Month; onClose: () => void }) {
  const name = shortMonth(month.month);
  const tasks = tasksOf(month);
  const next = shortMonth(nextMonth(month.month));
  return (
    <>
      <ul className="month-checks">
        {month.checks.map((check) => (
          <li key={check.check} className={check.isDone ? 'tone-positive' : 'tone-caution'}>
            <Glyph name={check.isDone ? 'tick' : 'quarter'} />
            <span className={check.isDone ? undefined : 'month-checks__task'}>
              {check.title}
              <span className="meta">{check.detail}</span>
            </span>
            {check.place === null ? (
              <span className="month-checks__figure">{check.figure}</span>
            ) : (
              <Task place={check.place} />
            )}
          </li>
        ))}
      </ul>
      <div className="month-act">
        <div>
          <p className="month-act__title">What closing means</p>
          <ul>
            <li>
              Nothing dated {name} can be posted any more. A correction is posted in {next}.
            </li>
            <li>
              The journal, the balances of {formatDay(month.lastDay, 'short')} and the sealed root
              are kept as they are.
            </li>
            <li>
              Opening it again takes two admins and a reason. Both are written to the audit trail.
            </li>
          </ul>
        </div>
        <Button
          kind="solid"
          onPress={onClose}
          why={
            tasks === 0
              ? undefined
              : `${counted(tasks, 'thing')} ${tasks === 1 ? 'stands' : 'stand'} in the way.`
          }
        >
          {`Close ${name}`}
        </Button>
      </div>
    </>
  );
}

/** First day of the month after `2026-11`. */
function nextMonth(month: string): string {
  const [year = 0, index = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, index, 1)).toISOString().slice(0, 7);
}

type Place = NonNullable<Month['checks'][number]['place']>;

const HREFS: Record<Exclude<Place['to'], 'verify'>, (id: string) => string> = {
  companyBank: (id) => `/admin/company-bank${id === '' ? '' : `?statement=${id}`}`,
  payoutFile: (id) => `/admin/payouts/${id}`,
  payroll: (id) => `/admin/payroll?tab=history&batch=${id}`,
  health: () => '/admin/dashboard',
  month: (id) => `/admin/close?month=${id}`,
};

function Task({ place: { to, id, label } }: { place: Place }) {
  const verify = useAction({
    send: () => call('adminVerifyBooks'),
    topics: ['books'],
    done: { title: 'Verification Started', message: 'This list follows when it has ended.' },
    failed: 'The verification did not start',
  });
  if (to === 'verify') return <TextButton onPress={() => verify.mutate()}>{label}</TextButton>;
  return <TextLink href={HREFS[to](id ?? '')}>{label}</TextLink>;
}
