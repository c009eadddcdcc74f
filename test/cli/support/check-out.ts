import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createTempProject } from './temp-project.js';
import type { TempProject } from './temp-project.js';

/** Copies the committed files of a project to a server, whose database stays as it is. */
export const pull = (site: TempProject, server: TempProject): void => {
  for (const path of ['src', 'prisma', 'types', '.env'])
    cpSync(join(site.root, path), join(server.root, path), { recursive: true });
};

/** A copy of a project as a server gets it: the committed files, and a database that is behind. */
export const checkOut = (site: TempProject): TempProject => {
  const server = createTempProject();
  pull(site, server);
  return server;
};
