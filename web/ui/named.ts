import type { ReactNode } from 'react';

/**
 * Visible words, alone, followed by other content, or after an icon. JSX passes several children,
 * such as `Use {bankName}`, as an array.
 */
type Words =
  | string
  | number
  | readonly (string | number)[]
  | readonly [ReactNode, string]
  | readonly [string, ...ReactNode[]];

/**
 * Accessible name of a control: its visible words, or an `aria-label` if it has other content, or
 * if its words need more ("Approve withdrawal of Maya"). A control with neither does not compile.
 */
export type Named =
  | { children: Words; 'aria-label'?: string | undefined }
  | { children: ReactNode; 'aria-label': string };
