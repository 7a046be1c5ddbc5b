import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { ZoneContext } from './lib/zones.ts';
import type { createAppRouter } from './routes.tsx';

interface AppProps {
  queryClient: QueryClient;
  router: ReturnType<typeof createAppRouter>;
  /** Time zone of the device. Null if it is not known. */
  zone: string | null;
}

/** The whole app, in a browser or on the server that draws the first view of a page. */
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
