import { createContext, useContext, type ComponentType } from 'react';
import type { RouteReply } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import type { SearchDeclaration } from './search.ts';

/** Number of items that wait for an admin, by kind. */
export type Waiting = NonNullable<RouteReply<'getShell'>['waiting']>;

/** Position of a screen in the navigation of its area. */
export interface NavigationEntry {
  /** Heading above the link. Null for the links at the top. */
  group: string | null;
  label: string;
  /** Paths of further screens that mark this link as current. */
  covers?: readonly string[];
  /** Kind of waiting items whose number is shown next to the link. */
  waiting?: keyof Waiting;
  /** True if it shows the number of unread notifications. */
  isInbox?: boolean;
}

/** A screen of one of the two areas. */
export interface Screen<
  Path extends string = string,
  Search extends SearchDeclaration = SearchDeclaration,
> {
  readonly path: Path;
  /** Heading and document title. Null if the screen words it for the person. */
  readonly title: string | null;
  /** Null for a screen that is reached from another one. */
  readonly navigation: NavigationEntry | null;
  readonly search: Search;
  /**
   * Loads its file, which is in pages/ under its path. The server derives the file name from the
   * path.
   */
  readonly load: () => Promise<ComponentType>;
}

/** The screens of each area, in the order of the navigation. */
export type Screens = Readonly<Record<Role, readonly Screen[]>>;

/** Provided once, by the root of the app. */
export const ScreensContext = createContext<Screens>({ employee: [], admin: [] });

export function useScreens(): Screens {
  return useContext(ScreensContext);
}
