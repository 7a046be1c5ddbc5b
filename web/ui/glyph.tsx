/** A coin that fills with progress. A diamond is a bad end, a dash a harmless one. */
export type GlyphName =
  | 'ring'
  | 'quarter'
  | 'half'
  | 'three-quarters'
  | 'tick'
  | 'cross'
  | 'dash'
  | 'back';

/** Status glyph of 12 px in the current color. Decorative: a word is always next to it. */
export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      {drawings[name]}
    </svg>
  );
}

const edge = <circle className="glyph__line" cx="6" cy="6" r="5" />;

const drawings = {
  ring: <circle className="glyph__line" cx="6" cy="6" r="5" strokeDasharray="2 1.6" />,
  quarter: (
    <>
      {edge}
      <path className="glyph__fill" d="M6 6V1a5 5 0 0 1 5 5Z" />
    </>
  ),
  half: (
    <>
      {edge}
      <path className="glyph__fill" d="M6 6V1a5 5 0 0 1 0 10Z" />
    </>
  ),
  'three-quarters': (
    <>
      {edge}
      <path className="glyph__fill" d="M6 6V1a5 5 0 1 1-5 5Z" />
    </>
  ),
  tick: (
    <>
      <circle className="glyph__fill" cx="6" cy="6" r="5.75" />
      <path className="glyph__knock" d="m3.4 6.2 1.8 1.8 3.4-3.8" />
    </>
  ),
  cross: (
    <>
      <path className="glyph__fill" d="M6 .4 11.6 6 6 11.6 .4 6Z" />
      <path className="glyph__knock" d="m4.4 4.4 3.2 3.2m0-3.2L4.4 7.6" />
    </>
  ),
  dash: (
    <>
      {edge}
      <path className="glyph__line" d="M3.5 6h5" />
    </>
  ),
  back: (
    <>
      {edge}
      <path className="glyph__line" d="M7.6 3.9 5.2 6l2.4 2.1" />
    </>
  ),
};
