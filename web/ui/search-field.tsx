import { Search } from 'lucide-react';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  /** Its accessible name, and what the empty field says: "Search transactions". */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Where the visible words differ from the label. */
  placeholder?: string | undefined;
}

/** Free-text search over a list. Escape and the browser's own cross empty it. Waiting between keystrokes is the caller's matter. */
export function SearchField({ label, value, onChange, placeholder = label }: SearchFieldProps) {
  return (
    <div className="search">
      <Icon of={Search} size={16} />
      <input
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
