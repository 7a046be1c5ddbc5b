// First: it says in which order the layers of all styles apply.
import './styles/app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query.ts';
import { followSignOuts } from './features/session/other-tabs.ts';
import { keepFocus } from './lib/keep-focus.ts';
import { createAppRouter } from './routes.tsx';
import { dismissErrors } from './ui/toast-queue.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const queryClient = createQueryClient({ onAttempt: dismissErrors });
const router = createAppRouter();
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) dismissErrors();
});
keepFocus(document);
followSignOuts(queryClient);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
