import './command.css';

/**
 * A shortcut: keys pressed together, or one `then` the other. The names come from CSS, so that they
 * are not part of the accessible name of the button around them.
 */
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
          <kbd className="kbd" data-key={name} />
        </span>
      ))}
    </span>
  );
}
