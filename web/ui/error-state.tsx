import { Button } from './button.tsx';

interface ErrorStateProps {
  /** Failed action: "Error Loading Transactions". */
  title: string;
  message?: string | undefined;
  onRetry: () => void;
  isRetrying?: boolean | undefined;
}

/** Replaces content that could not be loaded. The rest of the page stays usable. */
export function ErrorState({ title, message, onRetry, isRetrying }: ErrorStateProps) {
  return (
    <div className="empty" role="alert">
      <strong>{title}</strong>
      {message}
      <div className="empty__action">
        <Button onPress={onRetry} isPending={isRetrying}>
          Retry
        </Button>
      </div>
    </div>
  );
}
