import type { RouteReply } from '#contract/api.ts';
import { addressOf } from '#web/api/client.ts';
import { ExportLink } from '#web/kit/export-link.tsx';
import { formatDay } from '#web/lib/format.ts';
import { useTypedSearch } from '#web/lib/typing.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { PAYEES } from './lots.ts';
import type { Part } from './part.ts';
import './payouts.css';

interface PayoutFiltersProps {
  payouts: Pick<RouteReply<'adminGetPayouts'>, 'hasPrenotes' | 'hasMicroDeposits' | 'readyDays'>;
  part: Part;
  onPart: (part: Part) => void;
}

/** Search and filters of the payments that are ready. */
export function PayoutFilters({ payouts, part, onPart }: PayoutFiltersProps) {
  const [typed, type] = useTypedSearch(part.search, (search) => onPart({ ...part, search }));
  return (
    <div className="payout-filters">
      <SearchField
        label="Search payouts"
        placeholder="Search person, business or reference"
        value={typed}
        onChange={type}
      />
      <FilterSelect
        label="Destination"
        value={part.payees}
        onChange={(payees) => onPart({ ...part, payees })}
        options={[
          { value: 'all', label: 'All' },
          { value: 'people', label: PAYEES.people.name },
          { value: 'businesses', label: PAYEES.businesses.name },
          ...(payouts.hasPrenotes
            ? [{ value: 'accounts' as const, label: PAYEES.accounts.name }]
            : []),
          ...(payouts.hasMicroDeposits
            ? [{ value: 'micro_deposits' as const, label: PAYEES.micro_deposits.name }]
            : []),
        ]}
      />
      <FilterSelect
        label="Effective"
        value={part.on}
        onChange={(on) => onPart({ ...part, on })}
        options={[
          { value: 'all', label: 'All dates' },
          ...payouts.readyDays.map((day) => ({ value: day, label: formatDay(day, 'short') })),
        ]}
      />
      <span className="payout-filters__export">
        <ExportLink href={addressOf('adminExportPayouts', { query: part })} label="Export CSV" />
      </span>
    </div>
  );
}
