import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createServableSite } from './migrated-project.js';
import { waitFor } from './server-process.js';
import type { TempProject } from './temp-project.js';

/** Adds `/pid`, and `/slow`, which takes a while and notes in a file of `slow/` that it has been reached. */
const ENTRY = `
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';

export default {
  register({ fastify }) {
    fastify.get('/pid', async () => ({ pid: process.pid }));
    fastify.get('/slow', async () => {
      mkdirSync('slow', { recursive: true });
      writeFileSync('slow/' + randomUUID(), '');
      await new Promise((done) => setTimeout(done, 700));
      return { done: true };
    });
  },
};
`;

/** Waits until that many requests have reached `/slow`. */
export async function waitForSlowRequests({ root }: TempProject, count: number): Promise<void> {
  await waitFor(`${count} requests in flight`, async () => {
    const reached = await readdir(join(root, 'slow')).catch(() => []);
    return reached.length >= count ? true : undefined;
  });
}

/** Creates a site with the routes of ENTRY. */
export async function createSiteWithRoutes(): Promise<TempProject> {
  const site = await createServableSite();
  site.write({ 'src/index.js': ENTRY });
  return site;
}

/** The status of an answer, which is read to its end. */
export async function statusOf(url: string, key?: string): Promise<number> {
  const response = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}
