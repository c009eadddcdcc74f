import { describe, expect, it } from 'vitest';
import FieldEdit from '../../../src/commands/field/edit.js';
import Migrate from '../../../src/commands/migrate.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const TAG = 'src/api/tag/content-types/tag/schema.json';
const SEO = 'src/components/shared/seo.json';

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const setAttributes = (site: TempProject, path: string, attributes: Attributes): void => {
  const schema = JSON.parse(site.read(path)) as Readonly<Record<string, unknown>>;
  site.write({ [path]: { ...schema, attributes } });
};

const run = (site: TempProject, ...argv: readonly string[]) => runCommand(Migrate, argv, { cwd: site.root });

const ENUMERATION = { type: 'enumeration', enum: ['blue', 'green', 'red'] };

/** Tags with a price as text, a colour, an optional source, and a component. */
const createSite = async (): Promise<TempProject> => {
  const site = await createMigratedSite();
  site.write({
    [SEO]: {
      collectionName: 'components_shared_seos',
      info: { displayName: 'SEO' },
      options: {},
      attributes: { metaTitle: { type: 'string' }, robots: { type: 'string' } },
    },
  });
  setAttributes(site, TAG, {
    price: { type: 'string' },
    colour: ENUMERATION,
    source: { type: 'string' },
    seo: { type: 'component', component: 'shared.seo' },
  });
  const { exitCode } = await run(site);
  expect(exitCode).toBe(0);
  const seo = (title: string): string => JSON.stringify({ id: 1, metaTitle: title, robots: 'all' });
  insertVersion(site, 'tags', 'one', { price: '1', colour: 'blue', source: 'a', seo: seo('first') });
  insertVersion(site, 'tags', 'two', { price: '2', colour: 'green', seo: seo('second') });
  insertVersion(site, 'tags', 'three', { price: 'much', colour: 'red' });
  return site;
};

const KEPT: Attributes = {
  price: { type: 'string' },
  colour: ENUMERATION,
  source: { type: 'string' },
  seo: { type: 'component', component: 'shared.seo' },
};

const columnOf = (site: TempProject, column: string): readonly unknown[] =>
  rowsOf(site, `SELECT "${column}" AS value FROM tags ORDER BY id`).map(({ value }) => value);

describe('the account of cms migrate', () => {
  it('reports invalid values, refuses them with exit code 3, and accepts them by a flag', async () => {
    const site = await createSite();
    setAttributes(site, TAG, { ...KEPT, colour: { type: 'enumeration', enum: ['azure', 'red'] } });
    const before = fileTree(site.root);
    const refused = await run(site, '--json', '--yes', '--accept-data-loss');
    expect(refused.exitCode).toBe(3);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'cli/invalid-values',
        changes: [{ kind: 'invalid', type: 'api::tag.tag', path: 'colour', values: 2 }],
      },
    });
    expect(refused.stderr).toContain('This does not fit the new schema:\n  api::tag.tag colour: ');
    expect(fileTree(site.root)).toEqual(before);
    const preview = await run(site, '--dry-run');
    expect(preview.exitCode).toBe(0);
    expect(preview.stdout).toContain('-- would not fit: api::tag.tag colour: ');
    expect((await run(site, '--accept-invalid')).exitCode).toBe(0);
    expect(columnOf(site, 'colour')).toEqual(['blue', 'green', 'red']);
  });

  it('converts values and says how many', async () => {
    const site = await createSite();
    setAttributes(site, TAG, { ...KEPT, price: { type: 'integer' } });
    const refused = await run(site);
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toMatch(/api::tag\.tag price: 2 values converted/);
    expect(refused.stderr).toMatch(/api::tag\.tag price: .*\(1 value, such as "much"\)/);
    const converted = await run(
      site,
      '--convert',
      "tag.price=CASE WHEN value = 'much' THEN 99 ELSE CAST(value AS INTEGER) END",
    );
    expect(converted.exitCode, converted.stderr).toBe(0);
    expect(columnOf(site, 'price')).toEqual([1, 2, 99]);
  });

  it('converts values by TypeScript, and names the value for which it fails', async () => {
    const site = await createSite();
    setAttributes(site, TAG, { ...KEPT, price: { type: 'integer' } });
    const failed = await run(site, '--convert', 'tag.price=ts:value.nothing.more');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toMatch(/api::tag\.tag\.price fails for the value "\w+": Cannot read/);
    const converted = await run(site, '--convert', 'tag.price=ts:value === "much" ? 99 : Number(value)');
    expect(converted.exitCode, converted.stderr).toBe(0);
    expect(columnOf(site, 'price')).toEqual([1, 2, 99]);
  });

  it('takes new values of an enumeration and of what has none', async () => {
    const site = await createSite();
    setAttributes(site, TAG, {
      ...KEPT,
      colour: { type: 'enumeration', enum: ['azure', 'red'] },
      source: { type: 'string', required: true },
    });
    const { exitCode, stderr } = await run(
      site,
      '--map',
      'tag.colour:blue=azure',
      '--map',
      'tag.colour:green=red',
      '--set',
      'tag.source=unknown',
    );
    expect(exitCode, stderr).toBe(0);
    expect(columnOf(site, 'colour')).toEqual(['azure', 'red', 'red']);
    expect(columnOf(site, 'source')).toEqual(['a', 'unknown', 'unknown']);
  });

  it('fills in the default of an attribute', async () => {
    const site = await createSite();
    setAttributes(site, TAG, { ...KEPT, source: { type: 'string', required: true, default: 'web' } });
    expect((await run(site)).exitCode).toBe(3);
    expect((await run(site, '--use-default', 'tag.source')).exitCode).toBe(0);
    expect(columnOf(site, 'source')).toEqual(['a', 'web', 'web']);
  });

  it('asks on a terminal for new values, and then for a word on the rest', async () => {
    const site = await createSite();
    setAttributes(site, TAG, {
      ...KEPT,
      colour: { type: 'enumeration', enum: ['azure', 'red'] },
      source: { type: 'string', required: true },
    });
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, Migrate, []);
    await answerAll(terminal, [
      ['new value for "blue"', `${DOWN}\r`],
      ['new value for "green"', '\r'],
      ['Value for them (empty: none)', 'unknown\r'],
      ['Keep the values that do not fit as they are?', 'y\r'],
    ]);
    expect(await done, terminal.err()).toBe(0);
    expect(columnOf(site, 'colour')).toEqual(['azure', 'green', 'red']);
    expect(columnOf(site, 'source')).toEqual(['a', 'unknown', 'unknown']);
  });

  it('counts what components lose, names the flag for what looks like a rename, and keeps it', async () => {
    const site = await createSite();
    setAttributes(site, SEO, { title: { type: 'string' }, robots: { type: 'string' } });
    const refused = await run(site, '--json');
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain('--rename shared.seo.metaTitle=title');
    expect(refused.json()).toMatchObject({
      error: { changes: [{ kind: 'dropped', type: 'api::tag.tag', path: 'seo.metaTitle', values: 2 }] },
    });
    const renamed = await run(site, '--rename', 'shared.seo.metaTitle=title', '--json');
    expect(renamed.json()).toMatchObject({
      changes: [{ kind: 'moved', type: 'api::tag.tag', path: 'seo.metaTitle', values: 2 }],
    });
    expect(columnOf(site, 'seo').map((text) => JSON.parse(String(text)) as unknown)).toEqual([
      { id: 1, title: 'first', robots: 'all' },
      { id: 1, title: 'second', robots: 'all' },
      null,
    ]);
  });

  it('asks whether an attribute of a component was renamed', async () => {
    const site = await createSite();
    setAttributes(site, SEO, { title: { type: 'string' }, robots: { type: 'string' } });
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, Migrate, []);
    await answerAll(terminal, [['Was shared.seo.metaTitle renamed to title?', 'y\r']]);
    expect(await done, terminal.err()).toBe(0);
    expect(JSON.stringify(columnOf(site, 'seo'))).toContain('first');
  });

  it("swaps attributes that take each other's names", async () => {
    const site = await createSite();
    insertVersion(site, 'tags', 'four', { price: 'p', source: 's' });
    const { exitCode, stderr } = await run(
      site,
      '--rename',
      'tag.price=source',
      '--rename',
      'tag.source=price',
    );
    expect(exitCode, stderr).toBe(0);
    expect(rowsOf(site, "SELECT price, source FROM tags WHERE document_id = 'four'")).toEqual([
      { price: 's', source: 'p' },
    ]);
  });

  it('refuses names that the content-types lack, and names the nearest', async () => {
    const site = await createSite();
    setAttributes(site, TAG, { ...KEPT, source: { type: 'string', required: true } });
    const unknown = await run(site, '--set', 'tag.sorce=unknown');
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('Did you mean source?');
  });
});

describe('cms field edit', () => {
  it('gives the same account, and keeps files and values where it is refused', async () => {
    const site = await createSite();
    const before = fileTree(site.root);
    const edit = (...argv: readonly string[]) =>
      runCommand(FieldEdit, ['tag', 'source', '--required', ...argv], { cwd: site.root });
    const refused = await edit('--json', '--yes');
    expect(refused.exitCode).toBe(3);
    expect(refused.json()).toMatchObject({
      error: { code: 'cli/invalid-values', changes: [{ kind: 'invalid', path: 'source', values: 2 }] },
    });
    expect(fileTree(site.root)).toEqual(before);
    expect((await edit('--dry-run')).stdout).toContain('-- would not fit: api::tag.tag source: ');
    expect((await edit('--set', 'tag.source=unknown')).exitCode).toBe(0);
    expect(columnOf(site, 'source')).toEqual(['a', 'unknown', 'unknown']);
  });
});
