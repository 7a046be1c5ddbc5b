import { useTypedSearch } from '#web/lib/typing.ts';
import { SearchField } from './search-field.tsx';

export interface TypedSearchProps {
  /** Accessible name. */
  label: string;
  placeholder: string;
  /** Current search text, usually in the URL. */
  text: string;
  /** Called with the search text after a pause in typing. */
  onSearch: (text: string) => void;
}

/** Search of a list that the server reads. */
export function TypedSearch({ label, placeholder, text, onSearch }: TypedSearchProps) {
  const [typed, type] = useTypedSearch(text, onSearch);
  return <SearchField label={label} placeholder={placeholder} value={typed} onChange={type} />;
}
