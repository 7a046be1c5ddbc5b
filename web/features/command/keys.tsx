import './command.css';

/** Keys of the keyboard, as they are pressed: together, or one `then` the other. */
export function Keys({
  names,
  isSequence = false,
}: {
  names: readonly string[];
  isSequence?: boolean;
}) {
  return (
    <span className="keys" aria-hidden="true">
      {names.map((name, index) => (
        <span className="keys__part" key={name}>
          {isSequence && index > 0 && <span className="faint">then</span>}
          <kbd className="kbd">{name}</kbd>
        </span>
      ))}
    </span>
  );
}
