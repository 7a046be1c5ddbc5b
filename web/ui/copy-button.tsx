import { Copy } from 'lucide-react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  /** What is copied; a function where it has to be fetched at the press. */
  value: string | (() => Promise<string>);
  /** Its accessible name: "Copy account number". */
  label: string;
  /** Shown beside the sign. */
  words?: string | undefined;
  /** The caller says so, usually by a toast. */
  onCopied: () => void;
  /** The browser refused, or the value could not be fetched. The caller shows the reason. */
  onFailed: (reason: string) => void;
}

/**
 * Writes to the clipboard. A fetched value goes in as a promise: some browsers allow writing only
 * within the press itself.
 */
async function write(value: CopyButtonProps['value']): Promise<void> {
  if (typeof value === 'string') return navigator.clipboard.writeText(value);
  const blob = value().then((text) => new Blob([text], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** Browsers have no clipboard on pages that are served over plain HTTP under a host name. */
function whyNotCopied(): string {
  return 'clipboard' in navigator
    ? 'Your browser did not allow it. Please try again.'
    : 'Your browser copies only on pages that begin with https. Select the text to copy it.';
}

/** Puts a value on the clipboard. */
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
