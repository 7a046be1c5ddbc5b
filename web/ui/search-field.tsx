import { Search } from 'lucide-react';
import type { Ref } from 'react';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  /** Accessible name and placeholder: "Search transactions". */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Placeholder, if it differs from the label. */
  placeholder?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** Free-text search of a list. Escape and the browser's cross clear it. The caller debounces. */
export function SearchField({
  label,
  value,
  onChange,
  placeholder = label,
  ref,
}: SearchFieldProps) {
  return (
    <div className="search">
      <Icon of={Search} size={16} />
      <input
        ref={ref}
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
