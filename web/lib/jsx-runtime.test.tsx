import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

const count: number = 3;
const isLate: boolean = true;
const mark = <b>!</b>;

test('children that are all text become one text', () => {
  expect(
    renderToStaticMarkup(
      <p>
        {count} bills{isLate && ', late'} of Maya
        {!isLate && ', on time'}
      </p>,
    ),
  ).toBe('<p>3 bills, late of Maya</p>');
  const option = <option>{count} days</option>;
  expect(renderToStaticMarkup(option)).toBe('<option>3 days</option>');
});

test('text next to an element gets an element of its own, and space between elements does not', () => {
  expect(
    renderToStaticMarkup(
      <p>
        {count} bills {mark} {mark}
        {isLate && 'late'}
        {null}
      </p>,
    ),
  ).toBe(
    '<p><text-part>3</text-part><text-part> bills </text-part><b>!</b> <b>!</b><text-part>late</text-part></p>',
  );
});

test('a fragment of text keeps its own element next to what surrounds it', () => {
  const words = <>{isLate ? 'Late' : 'On time'}</>;
  expect(
    renderToStaticMarkup(
      <p>
        {mark}
        {words}
      </p>,
    ),
  ).toBe('<p><b>!</b><text-part>Late</text-part></p>');
});

test('text of a drawing stays as it is', () => {
  const drawing = (
    <svg>
      <text>
        {count} <tspan>bills</tspan>
      </text>
    </svg>
  );
  expect(renderToStaticMarkup(drawing)).toBe('<svg><text>3 <tspan>bills</tspan></text></svg>');
});
