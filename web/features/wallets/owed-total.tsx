import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { SumLine } from '#web/kit/sum-line.tsx';

/** Total of all wallets, which is the amount the company owes its employees. */
export function OwedTotal() {
  const query = useQuery(apiQuery('adminGetOwed', {}));
  const owed = query.data;
  return (
    <>
      {query.isError && <QueryError query={query} what="the total" />}
      {isDrawn(query) && (
        <SumLine
          label="Owed to employees"
          of="Owed to employees"
          words="in all wallets"
          sums={[
            { label: 'Available', amount: owed?.available },
            { label: 'Held', amount: owed?.held },
            { label: 'Total', amount: owed?.balance, isStrong: true },
          ]}
        />
      )}
    </>
  );
}
