import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDev } from '../../../src/project/serve/start-dev.js';
import type { DevEvent } from '../../../src/project/serve/start-dev.js';
import { hasErrorCode } from '../../../src/lib/caught-errors.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSiteFolder } from '../support/site.js';

const TAG_FILE = 'src/api/tag/content-types/tag/schema.json';

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The status of the first response, asked for as soon as something listens. */
const firstStatus = async (url: string): Promise<number> => {
  for (;;) {
    try {
      return (await fetch(url)).status;
    } catch (error) {
      if (!(error instanceof TypeError && hasErrorCode(error.cause, 'ECONNREFUSED'))) throw error;
    }
  }
};

describe.each(databases.slice(0, 1))('requests during the first build', (database) => {
  it.each([
    { what: 'wait until it is there', file: null, status: 403, kind: 'serving' },
    { what: 'wait until a mistake is known', file: '{', status: 503, kind: 'failed' },
  ])('$what', async ({ file, status, kind }) => {
    const { root, remove } = await createSiteFolder({ project: 'magazine', database });
    onTestFinished(remove);
    if (file !== null) await writeFile(join(root, TAG_FILE), file);
    const port = await findFreePort();
    const events: DevEvent[] = [];
    const response = firstStatus(`http://127.0.0.1:${port}/api/tags`).then((value) => [
      value,
      events.map((event) => event.kind),
    ]);
    const server = await startDev(root, {
      overrides: { host: '127.0.0.1', port },
      logger: createLogger({ level: 'silent' }),
      onEvent: (event) => events.push(event),
    });
    onTestFinished(server.close);
    expect(await response).toEqual([status, [kind]]);
  });
});
