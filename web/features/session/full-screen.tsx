import { Spinner } from '#web/ui/spinner.tsx';

/** Loading screen: at the start of a visit, during redirects, while a session is prepared. */
export function FullScreen({ message }: { message: string }) {
  return (
    <main className="full-screen" aria-busy="true">
      <Spinner />
      <p role="status">{message}</p>
    </main>
  );
}
