import './before-after.css';

/** A value that changed, in words: the old one fades. */
export function BeforeAfter({ before, after }: { before: string; after: string }) {
  return (
    <span className="change">
      <del>{before}</del>
      <ins>{after}</ins>
    </span>
  );
}
