import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { monthName } from '#contract/closing.ts';
import { apiQuery } from '#web/api/query.ts';
import { CloseMonthDialog, ReopenDialog } from '#web/features/closing/close-dialogs.tsx';
import { ChangedSince, ClosedMonth } from '#web/features/closing/closed-month.tsx';
import { Journal } from '#web/features/closing/journal.tsx';
import { MonthChecks } from '#web/features/closing/month-checks.tsx';
import { MonthList } from '#web/features/closing/month-list.tsx';
import { monthStatus, tasksOf } from '#web/features/closing/month-words.ts';
import type { ListedMonth, Month } from '#web/features/closing/month-words.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Status } from '#web/ui/status.tsx';

/** `/admin/close`; `?month=` shows one, otherwise that which is closed next. */
export function ClosePage() {
  const query = useQuery(apiQuery('adminListMonths', {}));
  return (
    <>
      <ScreenHead subtitle="Once a month: check, close, hand the journal to accounting." />
      <LoadedQuery query={query} what="the months">
        {({ months }) => <Months months={months} />}
      </LoadedQuery>
    </>
  );
}

function Months({ months }: { months: readonly ListedMonth[] }) {
  const search = useSearch({ from: '/admin/admin/close' });
  const navigate = useNavigate({ from: '/admin/close' });
  const next = months.findLast(({ status }) => status === 'ready' || status === 'blocked');
  const shown = search.month ?? (next ?? months[0])?.month ?? '';
  const query = useQuery(apiQuery('adminGetMonth', { params: { month: shown } }));
  // The address without a month shows the next one, as soon as this one is closed.
  const stayHere = () =>
    void navigate({ search: { ...search, month: shown }, replace: true, resetScroll: false });
  return (
    <>
      <div className="close-desk">
        <MonthList months={months} shown={shown} />
        <div>
          <LoadedQuery query={query} what="the month">
            {(month) => <ShownMonth month={month} onTask={stayHere} />}
          </LoadedQuery>
        </div>
      </div>
      {query.data !== undefined && (
        <Journal
          month={query.data}
          tab={search.tab}
          format={search.format}
          onTab={(tab) => void navigate({ search: { ...search, tab }, replace: true })}
          onFormat={(format) => void navigate({ search: { ...search, format }, replace: true })}
        />
      )}
    </>
  );
}

function ShownMonth({ month, onTask }: { month: Month; onTask: () => void }) {
  const [task, setTask] = useState<'close' | 'reopen'>();
  const close = () => setTask(undefined);
  const open = (asked: 'close' | 'reopen') => {
    onTask();
    setTask(asked);
  };
  return (
    <>
      <div className="month-head">
        <h2>{monthName(month.month)}</h2>
        <Status {...monthStatus(month.status, tasksOf(month))} />
      </div>
      {month.changed !== null && <ChangedSince changed={month.changed} />}
      {month.status === 'open' && (
        <p className="month-open muted">
          This month is not over. It can be closed after {formatDay(month.lastDay, 'date')}.
        </p>
      )}
      {month.checks.length > 0 && <MonthChecks month={month} onClose={() => open('close')} />}
      {month.closing !== null && <ClosedMonth month={month} onReopen={() => open('reopen')} />}
      {task === 'close' && <CloseMonthDialog month={month} onClose={close} />}
      {task === 'reopen' && <ReopenDialog month={month.month} onClose={close} />}
    </>
  );
}
