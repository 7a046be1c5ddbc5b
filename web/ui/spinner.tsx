/** Used inside pending buttons and while the product starts. The words beside it say what is awaited. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
