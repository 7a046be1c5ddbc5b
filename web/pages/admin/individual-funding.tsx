import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FundableEmployee } from '#contract/api.ts';
import { fundableList } from '#contract/lists.ts';
import { FundDialog } from '#web/features/payroll/funding/fund-dialog.tsx';
import { fundableColumns } from '#web/features/payroll/funding/fundable-columns.tsx';
import { FundingStats } from '#web/features/payroll/funding/funding-stats.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { DEPARTMENT_FILTER, EMPLOYEE_WORDS } from '#web/kit/filters.ts';
import { ListPage } from '#web/kit/list-page.tsx';
import { useList } from '#web/kit/use-list.ts';

const WORDS = { ...EMPLOYEE_WORDS, label: 'Employees who can be funded' };

const FILTERS = { department: DEPARTMENT_FILTER };

/** `/admin/individual-funding` */
export function IndividualFundingPage() {
  const list = useList(fundableList);
  const viewerId = useSession().data?.user?.id;
  const navigate = useNavigate();
  const [funded, setFunded] = useState<FundableEmployee>();
  return (
    <>
      <ScreenHead />
      <FundingStats />
      <div className="section">
        <ListPage
          state={list}
          words={WORDS}
          filters={FILTERS}
          columns={fundableColumns({
            viewerId,
            onOpen: ({ id }) => void navigate({ to: '/admin/employees/$id', params: { id } }),
            onFund: setFunded,
          })}
        />
      </div>
      {funded !== undefined && (
        <FundDialog employeeId={funded.id} onClose={() => setFunded(undefined)} />
      )}
    </>
  );
}
