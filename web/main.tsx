// Imported first, because it sets the order of the layers of all styles.
import './styles/app.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query.ts';
import { App } from './app.tsx';
import { rememberAuthMode, rememberedAuthMode } from './features/identity/sign-in/auth-mode.ts';
import { ONBOARDING } from './features/session/home.ts';
import { followOtherTabs } from './features/session/other-tabs.ts';
import { followSession, sessionQuery } from './features/session/use-session.ts';
import { takeFirstReplies } from './first-replies.ts';
import { writeDeviceCookie } from './lib/device-cookies.ts';
import { keepFocus } from './lib/keep-focus.ts';
import { areAmountsHidden } from './lib/privacy.ts';
import { deviceZone } from './lib/zones.ts';
import { readFields } from './lib/read-fields.ts';
import { loadWizard } from './pages/public/onboarding.tsx';
import { createAppRouter } from './routes.tsx';
import { dismissErrors, toast } from './ui/toast-queue.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const queryClient = createQueryClient({
  onAttempt: dismissErrors,
  onOutdated: () =>
    toast({
      title: 'This page could not be updated',
      message: 'It shows what was loaded before. Purser tries again by itself.',
      tone: 'caution',
    }),
});
followSession(queryClient, () => rememberAuthMode('signin'));
const router = createAppRouter();
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) dismissErrors();
});
keepFocus(document);
readFields(document);
followOtherTabs(queryClient);
repeatDeviceSettings();

void start(root);

async function start(container: HTMLElement): Promise<void> {
  const isDrawn = takeFirstReplies(queryClient);
  // The server's drawing stays until the app can show the same.
  if (isDrawn) await loadFirstScreen();
  const show = () =>
    createRoot(container).render(
      <App queryClient={queryClient} router={router} zone={deviceZone()} />,
    );
  // A transition renders in slices, so that the page can still scroll.
  if (isDrawn) startTransition(show);
  else show();
}

/** Stores device settings in cookies, for the next page that the server draws. */
function repeatDeviceSettings(): void {
  writeDeviceCookie('amounts', areAmountsHidden() ? 'hidden' : 'shown');
  writeDeviceCookie('authMode', rememberedAuthMode());
  writeDeviceCookie('timeZone', deviceZone() ?? '');
}

async function loadFirstScreen(): Promise<void> {
  const user = queryClient.getQueryData(sessionQuery.queryKey)?.user ?? null;
  const isWizard = user !== null && router.latestLocation.pathname === ONBOARDING;
  await Promise.allSettled([router.load(), ...(isWizard ? [loadWizard()] : [])]);
}
