import type { RouteReply } from '#contract/api.ts';
import { addressOf } from '#web/api/client.ts';
import { ExportLink } from '#web/kit/export-link.tsx';
import { formatDay } from '#web/lib/format.ts';
import { FilterSelect } from '#web/ui/select.tsx';
import { TypedSearch } from '#web/ui/typed-search.tsx';
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
  return (
    <div className="payout-filters">
      <TypedSearch
        label="Search payouts"
        placeholder="Search person, business or reference"
        text={part.search}
        onSearch={(search) => onPart({ ...part, search })}
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
