import { useState, Fragment } from 'react';
import { dayIn } from '#contract/calendar.ts';
import type { Currency } from '#contract/money.ts';
import { useCompany } from '#web/lib/company.ts';
import { periodOf, periodsOf } from '#web/lib/periods.ts';
import { FilterSelect } from '#web/ui/select.tsx';
import type { ListDeclaration } from '#contract/api.ts';
import type { AddressOf, ListFilter } from '#contract/list.ts';
import { useCompanyZone } from '#web/lib/zones.ts';
import { FilterAmount, FilterDay } from '#web/ui/filter-fields.tsx';
import type { ListState } from './use-list.ts';

/** Label of one filter, and the labels of its values. */
type WordsOf<Filter> = Filter extends { kind: 'choice'; values: readonly (infer Value)[] }
  ? {
      label: string;
      nameOf: (value: Exclude<Value, 'all'>, currency: Currency) => string;
      /** Label of 'all', if not "All". */
      all?: string;
      /** Offered values, if not all; the chosen one always is. */
      offers?: (value: Exclude<Value, 'all'>) => boolean;
    }
  : { label: string };

/** Filters that people set: not the search, which has a field of its own, nor an id, which a link sets. */
type ShownFilter<List extends ListDeclaration> = {
  [Name in keyof List['filters']]: List['filters'][Name]['kind'] extends 'text' | 'id'
    ? never
    : Name;
}[keyof List['filters']];

/** The words of every filter of a list: one that is declared cannot be forgotten. */
export type FilterWords<List extends ListDeclaration> = {
  [Name in ShownFilter<List>]: WordsOf<List['filters'][Name]>;
};

interface AnyWords {
  label: string;
  nameOf?: (value: string, currency: Currency) => string;
  all?: string;
  offers?: (value: string) => boolean;
}

interface FilterControlsProps<List extends ListDeclaration> {
  state: ListState<List>;
  words: FilterWords<List>;
  /** The element that says what is wrong with a range. */
  problemId: string;
}

/** The filters of a list, in the order of its declaration. */
export function FilterControls<List extends ListDeclaration>({
  state: { list, address, change, problem },
  words,
  problemId,
}: FilterControlsProps<List>) {
  const allWords = words as Readonly<Record<string, AnyWords>>;
  const valueOf = (name: string) => String((address as Record<string, unknown>)[name]);
  const set: SetFilters = (values, how) =>
    change(values as unknown as Partial<AddressOf<List>>, how);
  return Object.entries(list.filters).map(([name, filter]) => {
    const own = allWords[name];
    if (own === undefined) return null;
    return (
      <Fragment key={name}>
        {name === 'from' && hasDays(list) && (
          <PeriodFilter from={valueOf('from')} to={valueOf('to')} onChange={set} />
        )}
        <FilterControl
          filter={filter}
          words={own}
          value={valueOf(name)}
          problemId={problem?.field === name ? problemId : undefined}
          onChange={(value, how) => set({ [name]: value }, how)}
        />
      </Fragment>
    );
  });
}

/** The number of controls that {@link FilterControls} shows. */
export function countShown<List extends ListDeclaration>(
  list: List,
  words: FilterWords<List>,
): number {
  return Object.keys(words).length + (hasDays(list) ? 1 : 0);
}

type SetFilters = (values: Record<string, string>, how?: { isTyping?: boolean }) => void;

/** True if a list is filtered by a span of days. */
function hasDays({ filters }: ListDeclaration): boolean {
  return filters['from']?.kind === 'day' && filters['to']?.kind === 'day';
}

interface FilterControlProps {
  filter: ListFilter;
  words: AnyWords;
  value: string;
  /** The element that says what is wrong with the value; undefined where nothing is. */
  problemId: string | undefined;
  onChange: (value: string, how?: { isTyping?: boolean }) => void;
}

function FilterControl({ filter, words, value, problemId, onChange }: FilterControlProps) {
  const { label, nameOf, all = 'All', offers = () => true } = words;
  const { currency } = useCompany();
  const zone = useCompanyZone();
  switch (filter.kind) {
    case 'choice': {
      const offered = filter.values.filter((one) => one === 'all' || one === value || offers(one));
      const options = offered.map((one) => ({
        value: one,
        label: one === 'all' ? all : (nameOf?.(one, currency) ?? one),
      }));
      return <FilterSelect label={label} value={value} options={options} onChange={onChange} />;
    }
    case 'day':
      return (
        <FilterDay
          // The company's days, which are not those of everyone.
          label={zone === null ? label : `${label} (${zone})`}
          value={value}
          problemId={problemId}
          onChange={(chosen) => onChange(chosen, { isTyping: true })}
        />
      );
    case 'amount':
      return (
        <FilterAmount
          label={label}
          currency={currency}
          value={value}
          problemId={problemId}
          onChange={(minor) => onChange(minor, { isTyping: true })}
        />
      );
    case 'text':
    case 'id':
      return null;
  }
}

interface PeriodFilterProps {
  /** The days of the list's view; '' is open. */
  from: string;
  to: string;
  onChange: (days: { from: string; to: string }) => void;
}

/** Sets both days of a list together: "Period Last month". Other days show as "Custom". */
function PeriodFilter({ from, to, onChange }: PeriodFilterProps) {
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
