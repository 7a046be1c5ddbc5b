/** The initials of a person in a circle; the whole name is its accessible name. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" role="img" aria-label={name}>
      {initialsOf(name)}
    </span>
  );
}

/** First letters of the first and last word, by code point: "Maya L. Castellanos" is "MC". */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words.at(0);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last].map((word) => word?.match(/^./u)?.[0].toLocaleUpperCase() ?? '').join('');
}
