import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateProject } from '../../../src/app/migrate-project.js';
import { openApp } from '../../../src/app/open-app.js';
import { openProject } from '../../../src/app/open-project.js';
import type { Project } from '../../../src/app/open-project.js';
import { createLogger } from '../../../src/server/logger.js';
import { fixtureProject } from '../../support/models.js';

const { events, fail } = vi.hoisted(() => ({
  events: [] as string[],
  fail: { at: '', closing: '' },
}));

/** Wraps a function that opens something: notes when it opens and closes, and fails where `fail` says. */
const { observe } = vi.hoisted(() => ({
  observe:
    <Options extends unknown[], Opened extends { close: () => Promise<void> }>(
      name: string,
      open: (...options: Options) => Opened | Promise<Opened>,
    ) =>
    (...options: Options): Opened | Promise<Opened> => {
      if (fail.at === name) throw new Error(`${name} failed`);
      const wrap = (opened: Opened): Opened => {
        events.push(`open ${name}`);
        return {
          ...opened,
          close: async () => {
            events.push(`close ${name}`);
            await opened.close();
            if (fail.closing === name) throw new Error(`${name} cannot be closed`);
          },
        };
      };
      const opened = open(...options);
      return opened instanceof Promise ? opened.then(wrap) : wrap(opened);
    },
}));

vi.mock(import('../../../src/app/open-project-database.js'), async (load) => {
  const original = await load();
  return { ...original, openProjectDatabase: observe('database', original.openProjectDatabase) as never };
});
vi.mock(import('../../../src/access/create-access.js'), async (load) => {
  const original = await load();
  return { ...original, createAccess: observe('access', original.createAccess) as never };
});
vi.mock(import('../../../src/media/create-media-library.js'), async (load) => {
  const original = await load();
  return { ...original, createMediaLibrary: observe('media', original.createMediaLibrary) as never };
});
vi.mock(import('../../../src/app/open-accounts.js'), async (load) => {
  const original = await load();
  return { ...original, openAccounts: observe('accounts', original.openAccounts) as never };
});
vi.mock(import('../../../src/documents/changes/change-feed.js'), async (load) => {
  const original = await load();
  return { ...original, createChangeFeed: observe('changes', original.createChangeFeed) as never };
});

const STEPS = ['database', 'access', 'media', 'accounts', 'changes'];
const opened = (steps: readonly string[]): readonly string[] => steps.map((step) => `open ${step}`);
const closed = (steps: readonly string[]): readonly string[] =>
  steps.toReversed().map((step) => `close ${step}`);

const logger = createLogger({ level: 'silent' });

describe('openApp', () => {
  let root = '';
  let project: Project;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'open-app-'));
    await cp(join(fixtureProject('magazine'), 'src'), join(root, 'src'), { recursive: true });
    await writeFile(join(root, 'cms.config.mjs'), 'export default {};\n');
    await writeFile(join(root, '.env'), 'JWT_SECRET=k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A\n');
    project = await openProject(root);
    await migrateProject(project, { label: 'model' });
  }, 60_000);
  afterAll(() => rm(root, { recursive: true, force: true }));
  beforeEach(() => {
    events.length = 0;
    fail.at = '';
    fail.closing = '';
  });

  const writeEntry = (text: string): Promise<void> => writeFile(join(root, 'src/index.mjs'), text);
  const open = () => openApp(project, { logger });

  it('closes everything in reverse order when its server is closed', async () => {
    await writeEntry('');
    const { fastify } = await open();
    await fastify.close();
    expect(events).toEqual([...opened(STEPS), ...closed(STEPS)]);
  });

  it.each(STEPS)('closes what is open when %s cannot be opened', async (step) => {
    await writeEntry('');
    fail.at = step;
    await expect(open()).rejects.toThrow(`${step} failed`);
    const before = STEPS.slice(0, STEPS.indexOf(step));
    expect(events).toEqual([...opened(before), ...closed(before)]);
  });

  it.each(['register', 'bootstrap'])('closes everything when %s throws', async (name) => {
    await writeEntry(`export const ${name} = () => { throw new Error('mine'); };`);
    await expect(open()).rejects.toThrow('mine');
    expect(events).toEqual([...opened(STEPS), ...closed(STEPS)]);
  });

  it('goes on closing when a step cannot be closed, and throws the first error', async () => {
    await writeEntry("export const bootstrap = () => { throw new Error('mine'); };");
    fail.closing = 'media';
    await expect(open()).rejects.toThrow('mine');
    expect(events).toEqual([...opened(STEPS), ...closed(STEPS)]);
  });
});
