/**
 * Spinner in pending buttons and during the start of the app. The text next to it names the action.
 */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
