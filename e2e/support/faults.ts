import type { BrowserContext } from '@playwright/test';

/**
 * Everything a browser complained about: console errors and warnings of the page, exceptions, and
 * violations of the Content-Security-Policy.
 */
export class Faults {
  readonly #seen: string[] = [];
  readonly #allowed: ((fault: string) => boolean)[] = [];

  /** Watches all pages of a context, from their first script on. */
  async watch(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      const { url } = message.location();
      this.#seen.push(`console: ${message.text()} (${url})`);
    });
    context.on('weberror', (error) => {
      this.#seen.push(`exception: ${error.error().stack ?? String(error.error())}`);
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} stopped ${event.blockedURI}`);
      });
    });
  }

  /**
   * Expects something that a browser logs by itself, such as the refused request of a journey about
   * refusals.
   *
   * @param words matched against `console: <text> (<address>)`
   */
  allow(words: RegExp): void {
    this.#allowed.push((fault) => words.test(fault));
  }

  /** Expects the refusal of an operation: Chromium logs every reply of 400 and above. */
  allowRefusal(status: number, path: string): void {
    this.#allowed.push((fault) => fault.includes(`status of ${status} `) && fault.includes(path));
  }

  /** What nobody expected. */
  unexpected(): string[] {
    return this.#seen.filter((fault) => !this.#allowed.some((isAllowed) => isAllowed(fault)));
  }
}
