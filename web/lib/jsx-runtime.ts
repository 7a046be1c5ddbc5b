import type { ElementType, Key, ReactNode } from 'react';
import * as react from 'react/jsx-runtime';

export type { JSX } from 'react/jsx-runtime';
export const Fragment = react.Fragment;

interface Props {
  children?: ReactNode;
}

/** Elements that hold text alone, and those of a drawing, in which HTML cannot stand. */
const TEXT_ALONE: ReadonlySet<unknown> = new Set([
  'option',
  'title',
  'textarea',
  'style',
  'text',
  'tspan',
  'desc',
]);

/**
 * Creates an element with one child; React calls it for JSX. Text that stands alone in a fragment gets an
 * element: next to what surrounds the fragment, it would be a bare text node. So a component that returns
 * nothing but text returns a fragment of it.
 */
export function jsx(type: ElementType, props: Props, key?: Key) {
  const { children } = props;
  if (type !== Fragment || !isText(children)) return react.jsx(type, props, key);
  return react.jsx(type, { ...props, children: textPart(children) }, key);
}

/**
 * Creates an element with several children; React calls it for JSX. React keeps a reference to each text node
 * that stands next to other children. A browser's page translation replaces text nodes by elements, and React
 * then writes into nodes that nobody sees, or throws when it removes one. Text of an element that has nothing
 * else is safe: React sets the content of the element. So children that are all text are joined, and text
 * next to elements gets an element of its own.
 */
export function jsxs(type: ElementType, props: Props, key?: Key) {
  const children = props.children as readonly ReactNode[];
  if (!children.some(isText)) return react.jsxs(type, props, key);
  if (children.every(isTextOrNothing)) {
    return jsx(type, { ...props, children: children.map(written).join('') }, key);
  }
  if (TEXT_ALONE.has(type)) return react.jsxs(type, props, key);
  const parts = children.map((child) =>
    isText(child) && !isBlank(child) ? textPart(child) : child,
  );
  return react.jsxs(type, { ...props, children: parts }, key);
}

/**
 * An inline element that no selector names. With `display: contents`, browsers would put a space after it in the
 * accessible names of what is around it: "$5,000 .00".
 */
function textPart(text: string | number) {
  // React knows any name with a dash; its types name the elements of HTML alone.
  return react.jsx('text-part' as ElementType, { children: text });
}

function isText(child: ReactNode): child is string | number {
  return typeof child === 'string' || typeof child === 'number';
}

function isTextOrNothing(child: ReactNode): boolean {
  return isText(child) || child === null || child === undefined || typeof child === 'boolean';
}

/** Space between elements: translation leaves it alone, and an element for it would be an item of a flex box. */
function isBlank(text: string | number): boolean {
  return String(text).trim() === '';
}

function written(child: ReactNode): string {
  return isText(child) ? String(child) : '';
}

/** Development's form of both. */
export function jsxDEV(type: ElementType, props: Props, key: Key | undefined, isStatic: boolean) {
  return isStatic ? jsxs(type, props, key) : jsx(type, props, key);
}
