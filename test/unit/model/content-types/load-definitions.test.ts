import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../src/model/content-types/load-definitions.js';
import { printProblem, typePath, typeText } from '../../../support/schema-files.js';

let root = '';

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-load-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const BUILTIN = [
  'plugin::upload.file',
  'plugin::users-permissions.permission',
  'plugin::users-permissions.role',
  'plugin::users-permissions.user',
];

describe('loadDefinitions', () => {
  it('finds only the built-in types in an empty project', async () => {
    const { types, components, problems } = await loadDefinitions(root);
    expect(types.map(({ uid }) => uid)).toEqual(BUILTIN);
    expect([components, problems]).toEqual([[], []]);
  });

  it('reads types, components and extensions from their folders, and ignores other files', async () => {
    await write(typePath('tag'), typeText('tag', ['"name": { "type": "string" }']));
    await write('src/api/tag/content-types/label/schema.json', typeText('label', []));
    await write('src/api/tag/content-types/tag/lifecycles.js', 'throw new Error()');
    await write('src/api/tag/controllers/tag.js', 'throw new Error()');
    await write('src/api/.gitkeep', '');
    await write('src/api/README.md', 'x');
    await write('src/api/tag/content-types/index.ts', '');
    await write('src/components/shared/seo.json', '{ "attributes": {} }');
    await write('src/components/shared/notes.txt', 'x');
    await write('src/components/top.json', '{}');
    await write(
      'src/extensions/users-permissions/content-types/user/schema.json',
      '{ "attributes": { "nick": { "type": "string" } } }',
    );
    await write('src/extensions/users-permissions/strapi-server.js', 'throw new Error()');
    const { types, components, problems } = await loadDefinitions(root);
    expect(problems).toEqual([]);
    expect(types.map(({ uid }) => uid).toSorted()).toEqual(['api::tag.label', 'api::tag.tag', ...BUILTIN]);
    expect(components.map(({ uid, file }) => [uid, file])).toEqual([
      ['shared.seo', 'src/components/shared/seo.json'],
    ]);
    expect(
      types.find(({ uid }) => uid === 'plugin::users-permissions.user')?.attributes.map(({ name }) => name),
    ).toContain('nick');
  });

  it('follows symbolic links to folders', async () => {
    await write(`elsewhere/${typePath('tag')}`, typeText('tag', []));
    await mkdir(join(root, 'src'));
    await symlink(join(root, 'elsewhere/src/api'), join(root, 'src/api'));
    const { types } = await loadDefinitions(root);
    expect(types.map(({ uid }) => uid)).toContain('api::tag.tag');
  });

  it("reports a type's folder without a schema file", async () => {
    await write('src/api/tag/content-types/tag/schema.jsn', '{}');
    const { problems } = await loadDefinitions(root);
    expect(problems.map(printProblem)).toEqual([`warning missing-file ${typePath('tag')}:1`]);
  });

  it('collects the problems of all files', async () => {
    await write(typePath('tag'), '{');
    await write(typePath('item'), typeText('item', ['"x": { "type": "nope" }']));
    const { problems, unreadable } = await loadDefinitions(root);
    expect(problems.map(printProblem).toSorted()).toEqual([
      `error broken-json ${typePath('tag')}:1`,
      `error unknown-type ${typePath('item')}:12 x`,
    ]);
    expect(unreadable).toEqual(['api::tag.tag']);
  });

  it('throws errors of the file system', async () => {
    await mkdir(join(root, typePath('tag')), { recursive: true });
    await expect(loadDefinitions(root)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
