import { useState } from 'react';
import { dayIn } from '#contract/calendar.ts';
import { useCompany } from '#web/lib/company.ts';
import { periodOf, periodsOf } from '#web/lib/periods.ts';
import { FilterSelect } from '#web/ui/select.tsx';

interface PeriodFilterProps {
  /** The days of the list's view; '' is open. */
  from: string;
  to: string;
  onChange: (days: { from: string; to: string }) => void;
}

/** Sets both days of a list together: "Period Last month". Other days show as "Custom". */
export function PeriodFilter({ from, to, onChange }: PeriodFilterProps) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const periods = periodsOf(today);
  const chosen = periodOf({ from, to }, periods);
  const custom = { value: 'custom', label: 'Custom', isDisabled: true };
  return (
    <FilterSelect
      label="Period"
      value={chosen?.id ?? custom.value}
      options={[
        ...periods.map(({ id, label }) => ({ value: id, label })),
        ...(chosen === undefined ? [custom] : []),
      ]}
      onChange={(id) => {
        const period = periods.find((one) => one.id === id);
        if (period !== undefined) onChange({ from: period.from, to: period.to });
      }}
    />
  );
}
