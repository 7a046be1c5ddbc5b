import './before-after.css';

/** A changed value in words, with the old one faded. */
export function BeforeAfter({ before, after }: { before: string; after: string }) {
  return (
    <span className="change">
      <del>{before}</del>
      <ins>{after}</ins>
    </span>
  );
}
