import { useQuery } from '@tanstack/react-query';
import type { PayrollBatch } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table } from '#web/ui/table.tsx';

/** Sums of a payroll that moves no money yet, by department. */
export function OrderedTotals({ batch: { id, employees, total } }: { batch: PayrollBatch }) {
  const query = useQuery(apiQuery('adminGetPayrollTotals', { params: { id } }));
  return (
    <Section title="Totals by department">
      <LoadedQuery query={query} what="the totals" lines={4}>
        {({ departments }) => (
          <Table
            label="Totals by department"
            isDense
            rows={departments}
            rowKey={({ department }) => department}
            columns={[
              {
                id: 'department',
                header: 'Department',
                isRowHeader: true,
                cell: ({ department }) => DEPARTMENTS[department],
                total: 'Total',
              },
              {
                id: 'people',
                header: 'People',
                align: 'right',
                cell: ({ lines }) => formatCount(lines),
                total: formatCount(employees),
              },
              {
                id: 'amount',
                header: 'Amount',
                align: 'right',
                cell: ({ ordered }) => <Money amount={ordered} />,
                total: <Money amount={total} />,
              },
            ]}
          />
        )}
      </LoadedQuery>
    </Section>
  );
}
