import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentEdit from '../../../src/commands/content/edit.js';
import ContentShow from '../../../src/commands/content/show.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import { createSharedSite } from '../support/migrated-project.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const LAMP = {
  kind: 'collectionType',
  collectionName: 'lamps',
  info: { singularName: 'lamp', pluralName: 'lamps', displayName: 'Lamp' },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', generate: true },
    price: { type: 'decimal' },
    body: { type: 'richtext' },
    maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker' },
  },
};

const MAKER = {
  kind: 'collectionType',
  collectionName: 'makers',
  info: { singularName: 'maker', pluralName: 'makers', displayName: 'Maker' },
  attributes: { name: { type: 'string', unique: true } },
};

describe('cms content edit', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const created = async (...argv: readonly string[]): Promise<string> =>
    (await run(ContentCreate, ...argv)).stdout.trim();
  const shown = async (...argv: readonly string[]) =>
    (await run(ContentShow, ...argv, '--json')).json<{ document: Readonly<Record<string, unknown>> }>()
      .document;

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/lamp/content-types/lamp/schema.json': LAMP,
      'src/api/maker/content-types/maker/schema.json': MAKER,
    });
    await created('maker', '--set', 'name=Ada');
    await created('maker', '--set', 'name=Bo');
  });

  /** An editor that runs a script of JavaScript, which gets and returns the text. */
  const edit = (script: string, ...argv: readonly string[]) => {
    const file = join(site.root, 'editor.cjs');
    writeFileSync(
      file,
      `const fs = require('node:fs'); const path = process.argv[2];
       const edit = (text) => { ${script} };
       fs.writeFileSync(path, edit(fs.readFileSync(path, 'utf8')));`,
    );
    const env = { EDITOR: `${process.execPath} ${file}`, PATH: process.env['PATH'] ?? '' };
    return runCommand(ContentEdit, argv, { cwd: site.root, env });
  };
  const pending = (): readonly string[] => {
    const folder = join(site.root, '.galley', 'edits');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('writes what was changed in the editor', async () => {
    const documentId = await created(
      'lamp',
      '--set',
      'title=Edited',
      '--set',
      'maker=Ada',
      '--set',
      'body=Old',
    );
    const script =
      "return text.replace('maker: Ada', 'maker: Bo').replace('Old', 'New').replace(/slug:.*/, '');";
    expect((await edit(script, 'lamp', 'edited')).stdout.trim()).toBe(documentId);
    expect(await shown('lamp', documentId)).toMatchObject({
      maker: { name: 'Bo' },
      body: 'New',
      slug: null,
    });
    expect((await edit('return text;', 'lamp', documentId)).stderr).toContain('Nothing was changed.');
    expect(pending()).toEqual([]);
  });

  it('marks what is wrong, keeps what was typed, and goes on with it', async () => {
    const documentId = await created('lamp', '--set', 'title=Wrong');
    const refused = await edit("return text.replace('price: null', 'price: cheap');", 'lamp', documentId);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    const [name = ''] = pending();
    expect(refused.stderr).toContain(name);
    expect(readFileSync(join(site.root, '.galley', 'edits', name), 'utf8')).toMatch(
      /\n#! price: [^\n]*number[^\n]*\nprice: cheap\n/,
    );
    const { exitCode, stderr } = await edit("return text.replace('cheap', '7');", 'lamp', documentId);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('Continuing with unsaved text');
    expect(await shown('lamp', documentId)).toMatchObject({ price: 7 });
    expect(pending()).toEqual([]);
  });

  it('marks all errors in one pass, each at its line', async () => {
    const documentId = await created('lamp', '--set', 'title=Many', '--set', 'maker=Ada');
    const script = "return text.replace('price: null', 'price: cheap\\nprise: 4').replace('Ada', 'Nobody');";
    const refused = await edit(script, 'lamp', documentId);
    const issues = [
      ['prise', /is not an attribute of api::lamp\.lamp\. Did you mean price\?/],
      ['maker', /maker has no document Nobody/],
      ['price', /number/],
    ] as const;
    const [name = ''] = pending();
    const text = readFileSync(join(site.root, '.galley', 'edits', name), 'utf8');
    for (const [attribute, message] of issues) {
      expect(text).toMatch(new RegExp(`\n#! ${attribute}: [^\n]*${message.source}[^\n]*\n${attribute}: `));
      expect(refused.stderr).toMatch(new RegExp(`${attribute}:? [^\n]*${message.source}`));
    }
    expect((await edit('return text;', 'lamp', documentId, '--json')).json()).toMatchObject({
      error: { issues: issues.map(([attribute]) => ({ path: [attribute] })) },
    });
    const unread = "return text.replace('price: cheap', 'price: [');";
    await edit(unread, 'lamp', documentId);
    expect(readFileSync(join(site.root, '.galley', 'edits', name), 'utf8')).toMatch(/\n#! [^\n]+\n.*\n/);
    const mend = "text.split('\\n').filter((line) => !/^(#!|pri[cs]e)/.test(line)).join('\\n')";
    await edit(`return ${mend}.replace('Nobody', 'Bo');`, 'lamp', documentId);
    expect(await shown('lamp', documentId)).toMatchObject({ maker: { name: 'Bo' } });
    expect(pending()).toEqual([]);
  });

  it('reports concurrent changes of others, and keeps the typed text', async () => {
    const documentId = await created('lamp', '--set', 'title=Shared');
    const database = `require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))})`;
    const script = `
      new (${database})(${JSON.stringify(join(site.root, 'data.db'))})
        .prepare('UPDATE lamps SET title = ?, updated_at = ? WHERE document_id = ?')
        .run('Theirs', '2030-01-01T00:00:00.000+00:00', '${documentId}');
      return text.replace('Shared', 'Mine');`;
    const refused = await edit(script, 'lamp', documentId);
    expect(refused.stderr).toContain(' at 2030-01-01');
    expect(await shown('lamp', documentId)).toMatchObject({ title: 'Theirs' });
    const [name = ''] = pending();
    expect(readFileSync(join(site.root, '.galley', 'edits', name), 'utf8')).toMatch(
      /\n#! title: is now Theirs\ntitle: Mine\n/,
    );
    expect((await edit('return text;', 'lamp', documentId, '--overwrite')).exitCode).toBe(0);
    expect(await shown('lamp', documentId)).toMatchObject({ title: 'Mine' });
  });

  it('marks the changes of others, and overwrites them once the user has seen them', async () => {
    const documentId = await created('lamp', '--set', 'title=Open', '--set', 'price=1');
    const file = join(site.root, 'twice.cjs');
    writeFileSync(
      file,
      `const fs = require('node:fs'); const path = process.argv[2];
       const text = fs.readFileSync(path, 'utf8');
       fs.appendFileSync(path + '.log', text);
       fs.writeFileSync(path, text.includes('#!') ? text : text.replace('Open', 'Mine'));
       if (!text.includes('#!')) fs.writeFileSync(${JSON.stringify(join(site.root, 'opened'))}, path);
       const wait = () => fs.existsSync(${JSON.stringify(join(site.root, 'go'))}) || setTimeout(wait, 10);
       wait();`,
    );
    const env = { EDITOR: `${process.execPath} ${file}`, PATH: process.env['PATH'] ?? '', NO_COLOR: '1' };
    const terminal = createFakeTerminal({ cwd: site.root, tty: true, env });
    const done = runOn(terminal, ContentEdit, ['lamp', documentId]);
    await vi.waitUntil(() => existsSync(join(site.root, 'opened')), { timeout: 10_000 });
    await run(ContentUpdate, 'lamp', documentId, '--set', 'title=Theirs', '--set', 'price=2');
    writeFileSync(join(site.root, 'go'), '');
    await terminal.waitForText('Open the editor again?');
    expect(terminal.err()).toContain('title: is now Theirs');
    terminal.type('\r');
    expect(await done).toBe(0);
    const [log = ''] = pending();
    const texts = readFileSync(join(site.root, '.galley', 'edits', log), 'utf8');
    expect(texts).toMatch(/\n#! title: is now Theirs\ntitle: Mine\n[^]*\n#! price: is now 2\nprice: 1\n/);
    rmSync(join(site.root, '.galley', 'edits', log));
    expect(await shown('lamp', documentId)).toMatchObject({ title: 'Mine', price: 1 });
  });

  it('shows with --dry-run what would change, writes nothing, and keeps what was typed', async () => {
    const documentId = await created('lamp', '--set', 'title=Tried', '--set', 'maker=Ada');
    const before = await shown('lamp', documentId);
    const script = "return text.replace('price: null', 'price: 7').replace('maker: Ada', 'maker: Bo');";
    const planned = await edit(script, 'lamp', documentId, '--dry-run');
    expect(planned).toMatchObject({ exitCode: 0, stdout: 'price: null → 7\nmaker: "Ada" → "Bo"\n' });
    expect(planned.stderr).toContain(`Would update api::lamp.lamp ${documentId}. All checks have passed.`);
    expect(await shown('lamp', documentId)).toEqual(before);
    const again = await edit('return text;', 'lamp', documentId, '--dry-run', '--json');
    expect(again.json()).toMatchObject({
      action: 'edit',
      document: { documentId, price: 7 },
      fields: [
        { attribute: 'price', before: null, after: 7 },
        { attribute: 'maker', before: 'Ada', after: 'Bo' },
      ],
      dryRun: true,
    });
    const refused = await edit("return text.replace('7', 'cheap');", 'lamp', documentId, '--dry-run');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(pending()).toHaveLength(1);
    expect((await edit("return text.replace('cheap', '8');", 'lamp', documentId)).exitCode).toBe(0);
    expect(await shown('lamp', documentId)).toMatchObject({ price: 8, maker: { name: 'Bo' } });
    expect(pending()).toEqual([]);
  });

  it('needs an editor', async () => {
    await created('lamp', '--set', 'title=None');
    expect((await run(ContentEdit, 'lamp', 'none')).stderr).toContain('Set EDITOR');
  });
});
