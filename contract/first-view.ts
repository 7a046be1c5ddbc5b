/**
 * Facts that the server, which draws the first view of a page, and the app, which takes over from it,
 * have to agree on (docs/decisions/035).
 */

/**
 * The screens that people open first, with what may stand in their address: a dialog or a filter that it
 * asks for is opened by the app.
 */
export const DRAWN_FIRST: Readonly<Record<string, readonly string[]>> = {
  '/onboarding': ['step', 'mode'],
  '/employee/dashboard': [],
  '/admin/dashboard': [],
  '/admin/payroll': [],
};

/** The element with the replies that the view was drawn from, as JSON. */
export const FIRST_REPLIES = 'first-replies';

/** Each reply with the key that the app keeps it under. */
export type FirstReplies = readonly (readonly [key: readonly unknown[], reply: unknown])[];

/**
 * Settings of a device that the server has to know before it draws. The app keeps the settings
 * itself and repeats them in cookies.
 */
export const DEVICE_COOKIES = {
  /** State of the employee's amounts on this device: `shown` or `hidden`. */
  amounts: 'purser.amounts',
  /** Form with which `/onboarding` opens: sign-in or sign-up. */
  authMode: 'purser.auth-mode',
  /** IANA name of the time zone that the device is set to, in which times are written. */
  timeZone: 'purser.time-zone',
} as const;

/** A page that a browser navigates to. */
export interface FirstViewRequest {
  /** Path and search. */
  readonly href: string;
  /** The value of a cookie; undefined where the browser sent none of that name. */
  readonly cookie: (name: string) => string | undefined;
  /** Asks the API as the browser of the page would; undefined where it did not answer with a success. */
  readonly ask: (method: string, address: string) => Promise<unknown>;
}

export interface FirstView {
  readonly title: string;
  /** The content of the page, without scripts and without inline styles. */
  readonly html: string;
  /** Replies from which the page was drawn. */
  readonly replies: FirstReplies;
}

/** Null where the app should draw all of it: a page that leads elsewhere, or one that is not drawn first. */
export type DrawFirstView = (request: FirstViewRequest) => Promise<FirstView | null>;
