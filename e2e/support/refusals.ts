import type { Page } from '@playwright/test';

/** Has the browser refuse storage as it does where a person blocks cookies. To be called before the page is opened. */
export async function refuseStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, { get: refuse });
    }
    Object.defineProperty(window, 'BroadcastChannel', { value: refuse });
    navigator.locks.request = () =>
      Promise.reject(new DOMException('Access is denied.', 'SecurityError'));
  });
}

/**
 * Takes away what browsers offer only to pages that are served over TLS. Chromium counts 127.0.0.1 among those.
 * To be called before the page is opened.
 */
export async function showAsPlainHttp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false });
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
    Reflect.deleteProperty(Crypto.prototype, 'subtle');
    for (const name of ['clipboard', 'locks', 'serviceWorker', 'credentials']) {
      Reflect.deleteProperty(Navigator.prototype, name);
    }
    for (const name of ['PublicKeyCredential', 'caches', 'ClipboardItem']) {
      Reflect.deleteProperty(window, name);
    }
  });
}
