import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  /** Value to copy, or a function that fetches it when pressed. */
  value: string | (() => Promise<string>);
  /** Accessible name: "Copy account number". */
  label: string;
  /** Visible text next to the icon. */
  words?: string | undefined;
  /** Called after copying. The caller reports it, usually with a toast. */
  onCopied: () => void;
  /**
   * Called if the browser refused or the value could not be fetched. The caller shows the reason.
   */
  onFailed: (reason: string) => void;
}

/**
 * Writes to the clipboard. A fetched value is passed as a promise, because some browsers allow
 * writing only during the press itself.
 */
async function write(value: CopyButtonProps['value']): Promise<void> {
  if (typeof value === 'string') return navigator.clipboard.writeText(value);
  const blob = value().then((text) => new Blob([text], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** Reason for a failure. Browsers have no clipboard on plain HTTP pages with a host name. */
function whyNotCopied(): string {
  return 'clipboard' in navigator
    ? 'Your browser did not allow it. Please try again.'
    : 'Your browser copies only on pages that begin with https. Select the text to copy it.';
}

/** Copies a value to the clipboard. */
export function CopyButton({ value, label, words, onCopied, onFailed }: CopyButtonProps) {
  return (
    <Button
      kind="quiet"
      shape={words === undefined ? 'icon-small' : 'small'}
      aria-label={label}
      onPress={() => void write(value).then(onCopied, () => onFailed(whyNotCopied()))}
    >
      <Icon of={Copy} size={16} />
      {words}
    </Button>
  );
}
