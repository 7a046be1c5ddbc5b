import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  /** What is copied. */
  value: string;
  /** Its accessible name: "Copy account number". */
  label: string;
  /** The caller says so, usually by a toast. */
  onCopied: () => void;
  /** The browser refused: no permission, or a page without TLS. */
  onFailed: () => void;
}

/** Puts a value on the clipboard. */
export function CopyButton({ value, label, onCopied, onFailed }: CopyButtonProps) {
  const copy = () => {
    // The clipboard is missing altogether on pages without TLS; inside the chain that is a refusal like any other.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(value))
      .then(onCopied, onFailed);
  };
  return (
    <Button kind="quiet" shape="icon-small" aria-label={label} onPress={copy}>
      <Icon of={Copy} size={16} />
    </Button>
  );
}
