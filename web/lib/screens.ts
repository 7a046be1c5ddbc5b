import { createContext, useContext, type ComponentType } from 'react';
import type { RouteReply } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import type { SearchDeclaration } from './search.ts';

/** How much waits for an admin, by what it is. */
export type Waiting = NonNullable<RouteReply<'getShell'>['waiting']>;

/** Where a screen stands in the navigation of its area. */
export interface NavigationEntry {
  /** The heading over it; null for the links at the top. */
  group: string | null;
  label: string;
  /** Where else its link is marked as current: the addresses of screens that it leads to. */
  covers?: readonly string[];
  /** Which count of what waits is drawn beside it. */
  waiting?: keyof Waiting;
  /** Whether it is the count of unread notifications. */
  isInbox?: boolean;
}

/** A screen of one of the two areas. */
export interface Screen<
  Path extends string = string,
  Search extends SearchDeclaration = SearchDeclaration,
> {
  readonly path: Path;
  /** Its heading, also the document's title; null where it is worded for the person. */
  readonly title: string | null;
  /** Null for a screen that another one leads to. */
  readonly navigation: NavigationEntry | null;
  readonly search: Search;
  /** Loads its file, which lies in pages/ under its path: the server names it by that. */
  readonly load: () => Promise<ComponentType>;
}

/** The screens of each area, in the order of the navigation. */
export type Screens = Readonly<Record<Role, readonly Screen[]>>;

/** Given once, by the root of the app. */
export const ScreensContext = createContext<Screens>({ employee: [], admin: [] });

export function useScreens(): Screens {
  return useContext(ScreensContext);
}
