import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateProject } from '../../../support/migrate-project.js';
import { openApp } from '../../../../src/project/open/open-app.js';
import { openProject } from '../../../../src/project/open/open-project.js';
import type { Project } from '../../../../src/project/open/open-project.js';
import type { Application } from '../../../../src/api/graphql/extension/configuration.js';
import { createLogger } from '../../../../src/server/logger.js';
import { fixtureProject } from '../../../support/models.js';

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

vi.mock(import('../../../../src/project/open/open-database.js'), async (load) => {
  const original = await load();
  return { ...original, openProjectDatabase: observe('database', original.openProjectDatabase) as never };
});
vi.mock(import('../../../../src/access/create-access.js'), async (load) => {
  const original = await load();
  return { ...original, createAccess: observe('access', original.createAccess) as never };
});
vi.mock(import('../../../../src/media/create-media-library.js'), async (load) => {
  const original = await load();
  return { ...original, createMediaLibrary: observe('media', original.createMediaLibrary) as never };
});
vi.mock(import('../../../../src/project/open/open-accounts.js'), async (load) => {
  const original = await load();
  return { ...original, openAccounts: observe('accounts', original.openAccounts) as never };
});
vi.mock(import('../../../../src/documents/changes/change-feed.js'), async (load) => {
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

  it('names the line and the property that strapi lacks, and lets code set its own', async () => {
    await writeEntry(
      'export const bootstrap = ({ strapi }) => { strapi.mine ??= new Map(); strapi.mine.set(1, 1); };',
    );
    await (await open()).fastify.close();
    const detect = "if (strapi.ai?.admin || strapi.container || strapi.sanitizers) throw new Error('there');";
    await writeEntry(`export const bootstrap = ({ strapi }) => { ${detect} };`);
    await (await open()).fastify.close();
    await writeEntry(
      'export const bootstrap = ({ strapi }) => {\n  typeof strapi.stop && strapi.stop();\n};',
    );
    await expect(open()).rejects.toMatchObject({
      message: 'bootstrap failed at src/index.mjs:2: There is no strapi.stop.',
    });
    await writeEntry("export const bootstrap = ({ strapi }) => {\n  strapi.admin.log('ready');\n};");
    await expect(open()).rejects.toMatchObject({
      code: 'project/unknown-property',
      message: 'bootstrap failed at src/index.mjs:2: There is no strapi.admin.log.',
    });
    await writeEntry("export const register = () => {\n  undefined.log('ready');\n};");
    await expect(open()).rejects.toMatchObject({
      code: 'project/code-failed',
      message: "register failed at src/index.mjs:2: Cannot read properties of undefined (reading 'log')",
    });
  });

  it('gives all three functions one strapi, and runs destroy before anything is closed', async () => {
    const seen: string[] = [];
    Object.assign(globalThis, {
      seeStrapi: (name: string, strapi: Application) => {
        seen.push(`${name} ${typeof strapi.documents} ${typeof strapi.log.info} ${events.length}`);
      },
    });
    await writeEntry(
      ['register', 'bootstrap', 'destroy']
        .map((name) => `export const ${name} = ({ strapi }) => globalThis.seeStrapi('${name}', strapi);`)
        .join('\n'),
    );
    const { fastify } = await open();
    await fastify.close();
    Reflect.deleteProperty(globalThis, 'seeStrapi');
    expect(seen).toEqual(['register', 'bootstrap', 'destroy'].map((name) => `${name} function function 5`));
  });

  it('closes everything though destroy throws', async () => {
    await writeEntry("export const destroy = () => { throw new Error('mine'); };");
    const { fastify } = await open();
    await fastify.close();
    expect(events).toEqual([...opened(STEPS), ...closed(STEPS)]);
  });

  it('goes on closing when a step cannot be closed, and throws the first error', async () => {
    await writeEntry("export const bootstrap = () => { throw new Error('mine'); };");
    fail.closing = 'media';
    await expect(open()).rejects.toThrow('mine');
    expect(events).toEqual([...opened(STEPS), ...closed(STEPS)]);
  });
});
