import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApp } from '../../../src/project/open/open-app.js';
import type { App } from '../../../src/project/open/open-app.js';
import { createContentWatch } from '../../../src/project/serve/content-watch.js';
import type { ContentEvent } from '../../../src/project/serve/content-watch.js';
import { openProject } from '../../../src/project/open/open-project.js';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentList from '../../../src/commands/content/list.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentShow from '../../../src/commands/content/show.js';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import { createLogger } from '../../../src/server/logger.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { createSharedSite, typeFile } from '../support/migrated-project.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const NOTE = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: {
    title: { type: 'string', maxLength: 5 },
    count: { type: 'integer' },
    mood: { type: 'enumeration', enum: ['good', 'bad'] },
    isOpen: { type: 'boolean' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    seo: { type: 'component', component: 'shared.seo' },
    list: { type: 'component', component: 'shared.seo', repeatable: true },
    zone: { type: 'dynamiczone', components: ['shared.seo'] },
    body: { type: 'blocks' },
  },
};

const SEO = {
  collectionName: 'components_shared_seos',
  info: { displayName: 'Search engines' },
  attributes: { word: { type: 'string' } },
};

describe('content that is typed', () => {
  let site: TempProject;
  const succeed = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await runCommand(command, argv, { cwd: site.root });
    expect({ argv, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result.stdout.trim();
  };

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/note/content-types/note/schema.json': NOTE,
      'src/components/shared/seo.json': SEO,
      ...typeFile('tag'),
    });
    for (const title of ['red', 'blue', 'green'])
      await succeed(ContentCreate, 'tag', '--set', `title=${title}`);
  });

  it('is asked for attribute by attribute where no flag gives values, and checked', async () => {
    const editor = join(site.root, 'editor.mjs');
    const script =
      "import { readFileSync, writeFileSync } from 'node:fs';\n" +
      'const file = process.argv[2];\n' +
      "writeFileSync(file, readFileSync(file, 'utf8') === '' ? '***' : '## Hello');\n";
    writeFileSync(editor, script);
    const env = { NO_COLOR: '1', EDITOR: `${process.execPath} ${editor}`, PATH: process.env['PATH'] ?? '' };
    const terminal = createFakeTerminal({ cwd: site.root, tty: true, env });
    const done = runOn(terminal, ContentCreate, ['note']);
    await answerAll(terminal, [
      ['title', 'Too long\r'],
      ['at most 5', '\u0015Short\r'],
      ['count', 'many\r'],
      ['must be', '\u00153\r'],
      ['mood', `${DOWN}${DOWN}\r`],
      ['isOpen', 'y\r'],
      ['tags: type to search', 'blu'],
      ['tag ', '\r'],
      ['No more', '\r'],
      ['seo: fill it in?', 'y\r'],
      ['seo.word', 'one\r'],
      ['list: add an item', `${DOWN}\r`],
      ['list.0.word', 'two\r'],
      ['No more', '\r'],
      ['zone: add a component', `${DOWN}\r`],
      ['zone.0.word', '\r'],
      ['No more', '\r'],
      ['body: open the editor?', 'y\r'],
      ['blocks cannot hold a thematic break', 'y\r'],
      ['Review', '\r'],
    ]);
    expect({ exitCode: await done, err: terminal.err() }).toMatchObject({ exitCode: 0 });
    const shown = await succeed(ContentShow, 'note', terminal.out().trim(), '--json');
    expect((JSON.parse(shown) as { document: unknown }).document).toMatchObject({
      title: 'Short',
      count: 3,
      mood: 'bad',
      isOpen: true,
      tags: [{ title: 'blue' }],
      seo: { word: 'one' },
      list: [{ word: 'two' }],
      zone: [{ __component: 'shared.seo', word: null }],
      body: [{ type: 'heading', level: 2, children: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  it('is written as files are saved, and errors are reported with their line', async () => {
    await succeed(ContentPull);
    const folder = join(site.root, 'content');
    const project = await openProject(site.root);
    const app: App = await openApp(project, { logger: createLogger({ level: 'silent', root: site.root }) });
    const events: ContentEvent[] = [];
    const watch = await createContentWatch({ folder, onEvent: (event) => events.push(event) });
    watch.useApp(app);
    const save = async (path: string, text: string): Promise<ContentEvent | undefined> => {
      const seen = events.length;
      writeFileSync(join(folder, path), text);
      await expect.poll(() => events.length, { timeout: 10_000, interval: 10 }).toBeGreaterThan(seen);
      return events.at(-1);
    };
    try {
      expect(await save('tag/new.yaml', 'title: [\n')).toMatchObject({ kind: 'content-failed' });
      const wrong = await save('tag/new.yaml', 'title: new\ncolour: red\n');
      const error = wrong?.kind === 'content-failed' ? wrong.error : null;
      expect(isGalleyError(error) ? error.message : error).toBe(
        'tag/new.yaml:2: tag has no attribute colour.',
      );
      expect(await save('tag/new.yaml', 'title: new\n')).toMatchObject({ kind: 'content' });
    } finally {
      await watch.close();
      await app.fastify.close();
    }
    expect(await succeed(ContentList, 'tag', '--filter', 'title=new', '--format', 'count')).toBe('1');
  });
});
