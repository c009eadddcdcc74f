import { EventEmitter } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDev } from '../../../src/project/serve/start-dev.js';
import type { DevEvent, DevServer } from '../../../src/project/serve/start-dev.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSiteFolder } from '../support/site.js';

/** A watcher that starts and reports no changes. */
vi.mock('chokidar', () => ({
  watch: () => {
    const watcher = Object.assign(new EventEmitter(), { close: async () => undefined });
    setImmediate(() => watcher.emit('ready'));
    return watcher;
  },
}));

const TAG_FILE = 'src/api/tag/content-types/tag/schema.json';

describe.each(databases.slice(0, 1))('a development server whose watcher misses file changes', (database) => {
  let root = '';
  let remove: () => Promise<void>;
  let server: DevServer;
  const events: DevEvent[] = [];
  const last = (): DevEvent | undefined => events.at(-1);
  beforeAll(async () => {
    ({ root, remove } = await createSiteFolder({ project: 'magazine', database }));
    server = await startDev(root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent' }),
      onEvent: (event) => events.push(event),
    });
  });
  afterAll(async () => {
    await server.close();
    await remove();
  });

  it('still applies the saved files, with mistakes and with their correction', async () => {
    expect(events).toMatchObject([{ kind: 'serving' }]);
    const text = await readFile(join(root, TAG_FILE), 'utf8');
    await writeFile(join(root, TAG_FILE), text.replace('"label"', '"caption"'));
    await expect.poll(last, { timeout: 50_000 }).toMatchObject({ kind: 'serving', changed: [TAG_FILE] });
    await writeFile(join(root, TAG_FILE), text.replace('"type": "integer"', '"type": "integre"'));
    await expect.poll(last, { timeout: 50_000 }).toMatchObject({ kind: 'failed', changed: [TAG_FILE] });
    await writeFile(join(root, TAG_FILE), text.replace('"label"', '"caption"'));
    await expect.poll(last, { timeout: 50_000 }).toMatchObject({ kind: 'serving', changed: [TAG_FILE] });
    // Files that the server wrote itself do not count as changes.
    expect(events.map(({ kind }) => kind)).toEqual(['serving', 'serving', 'failed', 'serving']);
  }, 180_000);
});
