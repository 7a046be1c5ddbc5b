import type { ReactNode } from 'react';

/**
 * Visible words, alone or beginning with words or after an icon. JSX passes several children,
 * such as `Use {bankName}`, as an array.
 */
type Words =
  | string
  | number
  | readonly (string | number)[]
  | readonly [ReactNode, string]
  | readonly [string, ...ReactNode[]];

/**
 * The accessible name of what a person can press or follow: the words it shows, or an `aria-label`
 * where it shows anything else, or where its words need more ("Approve withdrawal of Maya"). A control
 * without either does not compile.
 */
export type Named =
  | { children: Words; 'aria-label'?: string | undefined }
  | { children: ReactNode; 'aria-label': string };
