import { useQuery } from '@tanstack/react-query';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

type DepartmentTotal = RouteReply<'adminGetPayrollTotals'>['departments'][number];
type Figure = Pick<Column<DepartmentTotal>, 'header' | 'cell' | 'total'>;

interface DepartmentTotalsProps {
  batchId: string;
  /** Column of how many people or lines. */
  count: Figure;
  amount: Pick<Figure, 'cell' | 'total'>;
}

/** Sums of a batch by department, in two columns of figures. */
export function DepartmentTotals({ batchId, count, amount }: DepartmentTotalsProps) {
  const query = useQuery(apiQuery('adminGetPayrollTotals', { params: { id: batchId } }));
  return (
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
            { id: 'count', align: 'right', ...count },
            { id: 'amount', header: 'Amount', align: 'right', ...amount },
          ]}
        />
      )}
    </LoadedQuery>
  );
}

/** Sums of a payroll that moves no money yet, by department. */
export function OrderedTotals({ batch: { id, employees, total } }: { batch: PayrollBatch }) {
  return (
    <Section title="Totals by department">
      <DepartmentTotals
        batchId={id}
        count={{
          header: 'People',
          cell: ({ lines }) => formatCount(lines),
          total: formatCount(employees),
        }}
        amount={{
          cell: ({ ordered }) => <Money amount={ordered} />,
          total: <Money amount={total} />,
        }}
      />
    </Section>
  );
}
