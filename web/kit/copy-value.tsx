import { CopyButton } from '#web/ui/copy-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';

interface CopyValueProps {
  /** Text to copy; a function where it has to be fetched at the press. */
  value: string | (() => Promise<string>);
  /** Its accessible name: "Copy account number". */
  label: string;
  /** Label next to the icon, where the button is alone: "Copy all". */
  words?: string | undefined;
}

/** A {@link CopyButton} that says what came of it. */
export function CopyValue(props: CopyValueProps) {
  return (
    <CopyButton
      {...props}
      onCopied={() => toast({ title: 'Copied!' })}
      onFailed={(message) => toast({ title: 'Not copied', message, tone: 'critical' })}
    />
  );
}
