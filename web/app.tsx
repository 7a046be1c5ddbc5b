import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { ZoneContext } from './lib/zones.ts';
import type { createAppRouter } from './routes.tsx';

interface AppProps {
  queryClient: QueryClient;
  router: ReturnType<typeof createAppRouter>;
  /** Time zone of the device, null where it is not known. */
  zone: string | null;
}

/** All of the app, in a browser and where the server draws the first view of a page. */
export function App({ queryClient, router, zone }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ZoneContext value={zone}>
          <RouterProvider router={router} />
        </ZoneContext>
      </QueryClientProvider>
    </StrictMode>
  );
}
