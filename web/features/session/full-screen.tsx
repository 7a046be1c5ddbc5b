import { Spinner } from '#web/ui/spinner.tsx';

/** The whole screen waits: start of a visit, redirects, a session being prepared. */
export function FullScreen({ message }: { message: string }) {
  return (
    <main className="full-screen" aria-busy="true">
      <Spinner />
      <p role="status">{message}</p>
    </main>
  );
}
