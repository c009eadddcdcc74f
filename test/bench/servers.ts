import { fileURLToPath } from 'node:url';
import type { Site } from './magazine-site.js';
import { startGalley, startServer } from './processes.js';
import type { RunningServer } from './processes.js';

/** The server under test, without and with cached responses, and the hand-written one. */
export interface Contenders {
  readonly plain: RunningServer;
  readonly caching: RunningServer;
  readonly baseline: RunningServer;
}

/** A server that computes each answer. */
export const startPlain = ({ folder }: Site): Promise<RunningServer> =>
  startGalley(folder, { API_CACHE: '0' });

const startBaseline = ({ url, size }: Site, usesPlugins: boolean): Promise<RunningServer> => {
  // Started from here, where the TypeScript loader is found.
  const here = fileURLToPath(new URL('.', import.meta.url));
  return startServer(here, (port) => [
    '--import',
    'jiti/register',
    fileURLToPath(new URL('baseline-server.ts', import.meta.url)),
    url,
    String(size),
    String(port),
    ...(usesPlugins ? ['plugins'] : []),
  ]);
};

/** Runs `work` with all servers of one site, and stops them. */
export async function withContenders(
  site: Site,
  usesPlugins: boolean,
  work: (contenders: Contenders) => Promise<void>,
): Promise<void> {
  const started: RunningServer[] = [];
  const start = async (server: Promise<RunningServer>): Promise<RunningServer> => {
    started.push(await server);
    return server;
  };
  try {
    await work({
      plain: await start(startPlain(site)),
      caching: await start(startGalley(site.folder)),
      baseline: await start(startBaseline(site, usesPlugins)),
    });
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
}
