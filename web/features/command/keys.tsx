import './command.css';

/**
 * Keys of the keyboard, as they are pressed: together, or one `then` the other. A picture: the style draws
 * their names, so that they are no part of the words of the button that they stand in.
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
