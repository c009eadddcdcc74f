import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readContentStore } from '../../../src/project/open/content-stores.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentDiff from '../../../src/commands/content/diff.js';
import ContentPull from '../../../src/commands/content/pull.js';
import ContentPush from '../../../src/commands/content/push.js';
import Run from '../../../src/commands/run.js';
import { createSharedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const POST = {
  kind: 'collectionType',
  collectionName: 'posts',
  info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', generate: true },
    next: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
    maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker' },
    seo: { type: 'component', component: 'shared.seo' },
    zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.list'] },
  },
};

const MAKER = {
  kind: 'collectionType',
  collectionName: 'makers',
  info: { singularName: 'maker', pluralName: 'makers', displayName: 'Maker' },
  attributes: {
    name: { type: 'string', unique: true },
    mail: { type: 'email', private: true },
    deep: { type: 'component', component: 'shared.level1' },
  },
};

const component = (name: string, attributes: object) => ({
  [`src/components/shared/${name}.json`]: {
    collectionName: `components_shared_${name}s`,
    info: { displayName: name },
    attributes,
  },
});

/** The levels of components in components. */
const DEPTH = 18;

const LEVELS = Object.assign(
  {},
  ...Array.from({ length: DEPTH }, (_, index) =>
    component(`level${index + 1}`, {
      text: { type: 'string' },
      ...(index + 1 === DEPTH ? {} : { inner: { type: 'component', component: `shared.level${index + 2}` } }),
    }),
  ),
) as ReturnType<typeof component>;

/** Returns the components of each version of a post, with what is private. */
const NOTES_SCRIPT = `
export default async ({ prisma }: { prisma: any }): Promise<unknown> => {
  const rows = await prisma.post.findMany({ where: { slug: 'notes' } });
  const parse = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value);
  return rows.map((row: any) =>
    [parse(row.seo), ...parse(row.zone).flatMap((item: any) => item.items ?? [item])].map(
      ({ metaTitle, note }) => \`\${metaTitle} \${note}\`,
    ),
  );
};
`;

describe('components in content files', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const succeed = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await run(command, ...argv);
    expect({ argv, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result.stdout;
  };
  const create = async (type: string, data: object): Promise<void> => {
    writeFileSync(join(site.root, 'data.json'), JSON.stringify(data));
    await succeed(ContentCreate, type, '--from', 'data.json');
  };
  const file = (path: string) => join(site.root, 'content', path);
  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(file(path), 'utf8');
    expect(text).toContain(from);
    writeFileSync(file(path), text.replace(from, to));
  };

  beforeAll(async () => {
    site = await createSharedSite({
      'scripts/notes.ts': NOTES_SCRIPT,
      'src/api/post/content-types/post/schema.json': POST,
      'src/api/maker/content-types/maker/schema.json': MAKER,
      ...component('seo', {
        metaTitle: { type: 'string' },
        text: { type: 'string' },
        note: { type: 'string', private: true },
      }),
      ...component('list', { items: { type: 'component', component: 'shared.seo', repeatable: true } }),
      ...LEVELS,
    });
    await create('maker', { name: 'ada' });
    await create('post', { title: 'First' });
    await create('post', { title: 'Second' });
    await succeed(ContentPull);
  });

  it('keeps what components hold that files do not', async () => {
    const seo = (metaTitle: string, note: string) => ({ metaTitle, note });
    const list = (...items: readonly object[]) => ({ __component: 'shared.list', items });
    await create('post', {
      title: 'Notes',
      seo: seo('one', 'A'),
      zone: [list(seo('two', 'B'), seo('three', 'C')), { __component: 'shared.seo', ...seo('four', 'D') }],
    });
    await succeed(ContentPull, 'post', '--yes');
    const pulled = readFileSync(file('post/notes.yaml'), 'utf8');
    expect(pulled).not.toContain('note:');
    writeFileSync(
      file('post/notes.yaml'),
      pulled
        .replace('metaTitle: one', 'metaTitle: eins')
        .replace('      - metaTitle: two\n', '      - metaTitle: new\n      - metaTitle: two\n')
        .replace('$status: draft', '$status: published'),
    );
    expect(await succeed(ContentPush, '--yes')).toBe('Wrote 1 change.\n');
    const { json } = await run(Run, 'scripts/notes.ts', '--json');
    const titles = ['eins A', 'new null', 'two B', 'three C', 'four D'];
    expect(json()).toEqual({ result: [titles, titles] });
    // Inserted before others that are changed in part.
    edit('post/notes.yaml', '- metaTitle: two\n', '- metaTitle: two\n        text: Same\n');
    await succeed(ContentPush, '--yes');
    edit('post/notes.yaml', '- metaTitle: new\n', '- metaTitle: newer\n');
    edit('post/notes.yaml', '- metaTitle: two\n', '- metaTitle: first\n      - metaTitle: zwei\n');
    await succeed(ContentPush, '--yes');
    const changed = ['eins A', 'newer null', 'first null', 'zwei B', 'three C', 'four D'];
    expect((await run(Run, 'scripts/notes.ts', '--json')).json()).toEqual({ result: [changed, changed] });
    edit('post/notes.yaml', 'metaTitle: eins', 'metaTitle: eins\n  note: X');
    expect((await run(ContentPush, '--yes')).stderr).toContain('Files do not hold seo.note');
    edit('post/notes.yaml', 'metaTitle: eins\n  note: X', 'metaTitle: eins');
    edit('post/notes.yaml', 'slug: notes\n', 'slug: notes\nmaker: ada\nnext: first\n');
    expect(await succeed(ContentPush, '--yes')).toBe('Wrote 1 change.\n');
    edit('post/notes.yaml', 'maker: ada\nnext: first\n', 'next: second\n');
    expect(await succeed(ContentDiff)).toBe(
      'update, publish post/notes.yaml\n  next: "first" → "second"\n  maker: "ada" → null\n',
    );
    await succeed(ContentDelete, 'post', 'notes', '--yes');
    rmSync(file('post/notes.yaml'));
  });

  it('reads components in components at any depth', async () => {
    const nest = (level: number): object => ({
      text: `Level ${level}`,
      ...(level === DEPTH ? {} : { inner: nest(level + 1) }),
    });
    await create('maker', { name: 'Deep', deep: nest(1) });
    await succeed(ContentPull, 'maker', '--yes');
    expect(readFileSync(file('maker/Deep.yaml'), 'utf8')).toContain(`text: Level ${DEPTH}\n`);
    expect(await succeed(ContentPush, 'maker')).toBe('Nothing to push.\n');
    await succeed(ContentDelete, 'maker', 'Deep', '--yes');
    rmSync(file('maker/Deep.yaml'));
  });

  it('writes the private values that files state, keeps those of others, and pulls none', async () => {
    const mails = async () => {
      const opened = await openProjectDatabase(await openProject(site.root));
      const { findPrivate } = await readContentStore(opened);
      const found = await findPrivate?.('api::maker.maker', { filters: { name: { $in: ['ada', 'dee'] } } });
      await opened.close();
      return found?.map(({ mail }) => mail);
    };
    writeFileSync(file('maker/dee.yaml'), 'name: dee\nmail: dee@example.org\n');
    edit('maker/ada.yaml', 'name: ada', 'name: ada\nmail: ada@example.org');
    await succeed(ContentPush, '--yes');
    expect(readFileSync(file('maker/dee.yaml'), 'utf8')).toContain('mail: dee@example.org');
    expect(await succeed(ContentPush, '--yes')).toBe('Nothing to push.\n');
    expect(await mails()).toEqual(['ada@example.org', 'dee@example.org']);
    edit('maker/ada.yaml', 'mail: ada@example.org', 'mail: ada@example.com');
    edit('maker/dee.yaml', 'mail: dee@example.org\n', '');
    expect((await run(ContentDiff)).stdout).toContain('"ada@example.org" → "ada@example.com"');
    await succeed(ContentPush, '--yes');
    expect(await mails()).toEqual(['ada@example.com', 'dee@example.org']);
    await succeed(ContentPull, 'maker', '--yes');
    expect(readFileSync(file('maker/ada.yaml'), 'utf8')).not.toContain('mail');
  });
});
