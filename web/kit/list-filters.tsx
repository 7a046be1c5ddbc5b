import type { AddressOf, ListDeclaration, ListFilter } from '#contract/list.ts';
import { useCompany } from '#web/lib/company.ts';
import { FilterAmount, FilterDay } from '#web/ui/filter-fields.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import type { ListState } from './use-list.ts';

/** What one filter is called, and what its values are called. */
type WordsOf<Filter> = Filter extends { kind: 'choice'; values: readonly (infer Value)[] }
  ? {
      label: string;
      nameOf: (value: Exclude<Value, 'all'>) => string;
      /** What 'all' is called, if not "All". */
      all?: string;
      /** Which values are offered, if not all; the chosen one always is. */
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
  nameOf?: (value: string) => string;
  all?: string;
  offers?: (value: string) => boolean;
}

interface FilterControlsProps<List extends ListDeclaration> {
  state: ListState<List>;
  words: FilterWords<List>;
}

/** The filters of a list, in the order of its declaration. */
export function FilterControls<List extends ListDeclaration>({
  state: { list, address, change },
  words,
}: FilterControlsProps<List>) {
  const allWords = words as Readonly<Record<string, AnyWords>>;
  return Object.entries(list.filters).map(([name, filter]) => {
    const own = allWords[name];
    if (own === undefined) return null;
    return (
      <FilterControl
        key={name}
        filter={filter}
        words={own}
        value={String((address as Record<string, unknown>)[name])}
        onChange={(value) => change({ [name]: value } as unknown as Partial<AddressOf<List>>)}
      />
    );
  });
}

interface FilterControlProps {
  filter: ListFilter;
  words: AnyWords;
  value: string;
  onChange: (value: string) => void;
}

function FilterControl({ filter, words, value, onChange }: FilterControlProps) {
  const { label, nameOf, all = 'All', offers = () => true } = words;
  const { currency } = useCompany();
  switch (filter.kind) {
    case 'choice': {
      const offered = filter.values.filter((one) => one === 'all' || one === value || offers(one));
      const options = offered.map((one) => ({
        value: one,
        label: one === 'all' ? all : (nameOf?.(one) ?? one),
      }));
      return <FilterSelect label={label} value={value} options={options} onChange={onChange} />;
    }
    case 'day':
      return <FilterDay label={label} value={value} onChange={onChange} />;
    case 'amount':
      return <FilterAmount label={label} currency={currency} value={value} onChange={onChange} />;
    case 'text':
    case 'id':
      return null;
  }
}
