import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentList from '../../../src/commands/content/list.js';
import Import from '../../../src/commands/import.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { createSharedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const i18n = { pluginOptions: { i18n: { localized: true } } };

const PERSON = {
  kind: 'collectionType',
  collectionName: 'people',
  info: { singularName: 'person', pluralName: 'people', displayName: 'Person' },
  options: { draftAndPublish: true },
  ...i18n,
  attributes: {
    name: { type: 'string', required: true, ...i18n },
    email: { type: 'email', unique: true },
    age: { type: 'integer', min: 0 },
    isMember: { type: 'boolean' },
    born: { type: 'date' },
    colour: { type: 'enumeration', enum: ['red', 'blue'] },
    data: { type: 'json' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::label.label' },
    address: { type: 'component', component: 'shared.address' },
  },
};

const LABEL = {
  kind: 'collectionType',
  collectionName: 'labels',
  info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
  attributes: { title: { type: 'string', unique: true } },
};

const ADDRESS = {
  collectionName: 'components_shared_addresses',
  info: { displayName: 'Address' },
  attributes: { city: { type: 'string' }, number: { type: 'integer' } },
};

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly rejectedFile: string | null;
  readonly encoding: string;
  readonly leftOut: readonly string[];
}

describe('cms import of tables', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], argv: readonly string[], stdin?: string) =>
    runCommand(command, argv, { cwd: site.root, ...(stdin === undefined ? {} : { stdin }) });
  const put = (name: string, content: string | Buffer): string => {
    writeFileSync(join(site.root, name), content);
    return name;
  };
  const read = (name: string): string => readFileSync(join(site.root, name), 'utf8');
  const imported = async (...argv: readonly string[]) => {
    const result = await run(Import, [...argv, '--type', 'person', '--yes', '--json']);
    return { ...result, counts: result.json<Counts>() };
  };
  const errorOf = async (...argv: readonly string[]) => {
    const { exitCode, json } = await run(Import, [...argv, '--yes', '--json']);
    return [exitCode, json<{ error: { code: string } }>().error.code];
  };
  const people = async (...argv: readonly string[]) =>
    (await run(ContentList, ['person', '--sort', 'name', '--json', '--populate', '*', ...argv])).json<{
      documents: readonly Readonly<Record<string, unknown>>[];
    }>().documents;
  const clear = () => run(ContentDelete, ['person', '--filter', 'id:gt=0', '--yes']);

  beforeAll(async () => {
    site = await createSharedSite({
      'src/api/person/content-types/person/schema.json': PERSON,
      'src/api/label/content-types/label/schema.json': LABEL,
      'src/components/shared/address.json': ADDRESS,
    });
    await run(LocaleAdd, ['fr']);
    for (const title of ['red', 'blue']) await run(ContentCreate, ['label', '--set', `title=${title}`]);
  });

  it('reads cells as their attributes write values, and reports omitted columns', async () => {
    const header = 'Full name,EMAIL,age,isMember,born,colour,data,tags,address.city,address.number,Note';
    put(
      'people.csv',
      `${header}\n"Ada, the ""first""",ada@example.com,36,true,1815-12-10,red,"{""a"": [1]}",` +
        '"red,blue",London,7,x\n' +
        'Bo,,,,,,,,,,\n',
    );
    const { counts, exitCode, stderr } = await imported('people.csv', '--map', 'Full name=name', '--publish');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(counts).toMatchObject({ created: 2, rejected: 0, rejectedFile: null, leftOut: ['Note'] });
    expect(stderr).toMatch(/Full name +name +string +Ada, the "first"/);
    const [ada, bo] = await people('--status', 'published');
    expect(ada).toMatchObject({
      name: 'Ada, the "first"',
      email: 'ada@example.com',
      age: 36,
      isMember: true,
      born: '1815-12-10',
      colour: 'red',
      data: { a: [1] },
      tags: [{ title: 'red' }, { title: 'blue' }],
      address: { city: 'London', number: 7 },
    });
    expect(bo).toMatchObject({ name: 'Bo', email: null, age: null, tags: [], address: null });
    await clear();
  });

  it('rejects rows into a file that can be mended and imported', async () => {
    put(
      'some.csv',
      'name;email;age;tags\nAda;ada@example.com;36;red\n;none@example.com;1;\nBo;bo@example.com;-1;\n' +
        'Cy;cy@example.com;many;\nDi;di@example.com;1;green\nEd;ed@example.com\n' +
        'Fay;f@example.com;1;red;extra\n' +
        'Gus;ada@example.com;2;\n"Hal;"x;hal@example.com;1\n',
    );
    const flags = ['--delimiter', ';', '--publish', '--key', 'email'];
    const { counts, exitCode } = await imported('some.csv', ...flags);
    expect({ exitCode, counts }).toMatchObject({ exitCode: 1, counts: { created: 1, rejected: 8 } });
    const rejected = read('some.rejected.csv');
    expect(rejected.split('\n')[0]).toBe('_reason,name,email,age,tags');
    for (const part of ['name: ', 'age: ', 'green', '2 cells instead of 4', '5 cells', 'line 2 has the same'])
      expect(rejected).toContain(part);
    put('mended.csv', rejected.replace('-1', '1').replaceAll(/^.*(?:quote|green|same|many).*\n/gm, ''));
    const again = await imported('mended.csv', '--publish', '--key', 'email');
    expect(again.counts).toMatchObject({ created: 1, rejected: 4 });
    expect(read('mended.rejected.csv')).toContain('it has 2 cells instead of 4,Ed,');
    expect((await people()).map(({ name }) => name)).toEqual(['Ada', 'Bo']);
    await clear();
  });

  it('goes on with a key, and skips, updates or refuses what is there', async () => {
    put('keys.csv', 'name,email,age\nAda,ada@example.com,1\n');
    await imported('keys.csv', '--key', 'email');
    put('keys.csv', 'name,email,age\nAda B,ada@example.com,\nBo,bo@example.com,2\n');
    expect((await imported('keys.csv', '--key', 'email')).counts).toMatchObject({ created: 1, skipped: 1 });
    const fail = await imported('keys.csv', '--key', 'email', '--existing', 'fail');
    expect(fail.counts).toMatchObject({ rejected: 2, rejectedFile: join(site.root, 'keys.rejected.csv') });
    const update = await imported('keys.csv', '--key', 'email', '--existing', 'update');
    expect(update.counts).toMatchObject({ updated: 2 });
    // An empty cell is no value.
    expect(await people()).toMatchObject([
      { name: 'Ada B', age: null },
      { name: 'Bo', age: 2 },
    ]);
    const french = await imported('keys.csv', '--key', 'email', '--locale', 'fr');
    expect(french.counts).toMatchObject({ updated: 2, skipped: 0 });
    const [ada] = await people();
    expect(await people('--locale', 'fr')).toMatchObject([{ documentId: ada?.['documentId'] }, {}]);
    await clear();
  });

  it('reads JSON lines and lists, with the types that their values have', async () => {
    const rows = [
      { name: 'Ada', age: 3, data: 'text', tags: ['red'], address: { city: 'Rome' }, extra: 1 },
      { name: 'Bo ]}"', age: '4', tags: 'red,blue', data: { a: '[' } },
    ];
    put('a.jsonl', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n\nnot json\n[1]\n`);
    const lines = await imported('a.jsonl');
    expect(lines.counts).toMatchObject({ created: 2, rejected: 2, leftOut: ['extra'] });
    expect(read('a.rejected.jsonl')).toMatch(/^\{"_reason":"it is not JSON .*","_text":"not json"\}\n/);
    put('mended.jsonl', read('a.rejected.jsonl').replaceAll(/not json|\[1\]/g, '{\\"name\\": \\"Cy\\"}'));
    expect((await imported('mended.jsonl')).counts).toMatchObject({ created: 2, rejected: 0 });
    await run(ContentDelete, ['person', '--filter', 'name=Cy', '--yes']);
    put('b.json', JSON.stringify(rows, null, 2));
    expect((await imported('b.json')).counts).toMatchObject({ created: 2, rejected: 0 });
    const ada = { name: 'Ada', age: 3, data: 'text', tags: [{ title: 'red' }], address: { city: 'Rome' } };
    const bo = { name: 'Bo ]}"', age: 4, data: { a: '[' }, tags: [{ title: 'red' }, { title: 'blue' }] };
    expect(await people()).toMatchObject([ada, ada, bo, bo]);
    await clear();
  });

  it('reads standard input', async () => {
    const argv = ['-', '--format', 'jsonl', '--type', 'person', '--yes'];
    const { stdout, exitCode } = await run(Import, argv, '{"name": "Ada"}\n{"name": "Bo"}');
    expect({ stdout, exitCode }).toEqual({
      exitCode: 0,
      stdout:
        'Imported standard input into api::person.person: 2 created, 0 updated, 0 skipped, 0 rejected.\n',
    });
    await clear();
  });

  it('detects encodings by their marks, and reports invalid ones with the line', async () => {
    const text = 'name,email\nZoë,zoe@example.com\n';
    const tables = [
      ['utf-8', Buffer.from(`\uFEFF${text}`)],
      ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le')],
      ['utf-16be', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ] as const;
    for (const [encoding, content] of tables) {
      const { counts } = await imported(put('e.csv', content), '--dry-run');
      expect(counts).toMatchObject({ encoding, created: 1, rejected: 0 });
    }
    put('e.csv', Buffer.from(text, 'latin1'));
    const { stderr, exitCode } = await run(Import, ['e.csv', '--type', 'person', '--yes']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
    expect(stderr).toContain('e.csv:2: the text is not utf-8.');
    await imported('e.csv', '--encoding', 'latin1');
    put('e.csv', Buffer.from(text, 'utf16le'));
    expect(await errorOf('e.csv', '--type', 'person')).toEqual([1, 'table/wrong-encoding']);
    expect((await people()).map(({ name }) => name)).toEqual(['Zoë']);
    await clear();
  });

  it('writes nothing where the table, its columns or the flags are wrong', async () => {
    put('ok.csv', 'name,email\nAda,a@example.com\n');
    put('empty.csv', '');
    put('twice.csv', 'name,name\nA,B\n');
    put('open.csv', 'name,email\nAda,a@example.com\n"Bo,b@example.com\n');
    put('long.csv', `name,email\nAda,a@example.com\n"${'x'.repeat(9 * 1024 * 1024)}",b\n`);
    put('none.csv', 'a,b\n1,2\n');
    put('cut.json', '[{"name": "Ada"}, {"name": "B');
    put('object.json', '{"name": "Ada"}');
    const person = ['--type', 'person'];
    const cases = [
      [['ok.csv'], 2, 'cli/missing-value'],
      [['ok.csv', '--type', 'persom'], 1, 'cli/unknown-name'],
      [['ok.csv', ...person, '--map', 'Name=name'], 1, 'cli/unknown-name'],
      [['ok.csv', ...person, '--map', 'name=naem'], 1, 'cli/unknown-name'],
      [['ok.csv', ...person, '--map', 'name'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--key', 'age'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--key', 'nothing'], 1, 'cli/unknown-name'],
      [['ok.csv', ...person, '--key', 'email', '--existing', 'replace'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--existing', 'update'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--rejected', 'ok.csv'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--save-map', './ok.csv'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--save-map', 'x', '--rejected', 'x'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--only', 'content'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--schemas'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--from-database', 'file:other.db'], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--delimiter', ''], 2, 'cli/invalid-usage'],
      [['ok.csv', ...person, '--delimiter', ';;'], 2, 'cli/invalid-usage'],
      [['object.json', ...person, '--delimiter', ';'], 2, 'cli/invalid-usage'],
      [['site.tar.gz', '--publish'], 2, 'cli/invalid-usage'],
      [['site.tar.gz', '--locale', 'de'], 2, 'cli/invalid-usage'],
      [['site.tar.gz', '--uploads', 'uploads'], 2, 'cli/invalid-usage'],
      [['empty.csv', ...person], 1, 'table/empty'],
      [['twice.csv', ...person], 1, 'table/invalid'],
      [['open.csv', ...person], 1, 'table/open-quote'],
      [['long.csv', ...person], 1, 'table/endless-row'],
      [['none.csv', ...person], 2, 'cli/invalid-usage'],
      [['cut.json', ...person], 1, 'table/invalid'],
      [['object.json', ...person], 1, 'table/invalid'],
      [['missing.csv', ...person], 1, 'file/missing'],
    ] as const;
    for (const [argv, exitCode, code] of cases)
      expect([argv, ...(await errorOf(...argv))]).toEqual([argv, exitCode, code]);
    expect(await people()).toEqual([]);
    expect(site.read('ok.csv')).toBe('name,email\nAda,a@example.com\n');
  });

  it('saves the mapping and the flags of a table, and applies them to the next one', async () => {
    put('first.csv', 'Full name;EMAIL;Note\nZo\u00eb;zoe@example.com;x\n');
    const flags = ['--delimiter', ';', '--map', 'Full name=name', '--key', 'email', '--existing', 'update'];
    const { stderr } = await imported('first.csv', ...flags, '--publish', '--save-map', 'people.map.yaml');
    expect(stderr).toContain('--map-file people.map.yaml');
    expect(read('people.map.yaml')).toBe(
      [
        '# Mapping of the columns of a table. Written by: cms import --save-map. ' +
          'Applied by: cms import --map-file.',
        'type: api::person.person',
        'key: email',
        'existing: update',
        'format: csv',
        'delimiter: ;',
        'publish: true',
        'columns:',
        '  Full name: name',
        '  EMAIL: email',
        '  Note: null',
        '',
      ].join('\n'),
    );
    put('second.csv', 'EMAIL;Full name\nzoe@example.com;Zoe\nbo@example.com;Bo\n');
    const second = await run(Import, ['second.csv', '--map-file', 'people.map.yaml', '--yes', '--json']);
    expect(second.json()).toMatchObject({ created: 1, updated: 1, rejected: 0, leftOut: [] });
    expect((await people('--status', 'published')).map(({ name }) => name)).toEqual(['Bo', 'Zoe']);
    put('third.csv', 'EMAIL,Full name\nbo@example.com,Bob\n');
    const overridden = ['--map-file', 'people.map.yaml', '--delimiter', ',', '--existing', 'skip'];
    const third = await run(Import, ['third.csv', ...overridden, '--yes', '--json']);
    expect(third.json()).toMatchObject({ created: 0, updated: 0, skipped: 1 });
    put('fourth.csv', 'EMAIL;Note\nal@example.com;x\n');
    expect(await errorOf('fourth.csv', '--map-file', 'people.map.yaml')).toEqual([1, 'cli/unknown-name']);
    await clear();
  });

  it('rejects a map file that it cannot apply, with the reason', async () => {
    put('ok.csv', 'name\nAda\n');
    const cases = [
      ['- name', 'it is not a mapping'],
      ['colums: {}', 'the key colums is unknown. Did you mean columns?'],
      ['columns: [name]', 'columns is not a mapping'],
      ['columns: { name: 3 }', 'the attribute of the column name is neither text nor null'],
      ['encoding: latin2', 'encoding is not one of utf-8'],
      ['publish: "yes"', 'publish is neither true nor false'],
      ['locale: 3', 'locale is not text'],
    ] as const;
    for (const [text, reason] of cases) {
      put('bad.map.yaml', text);
      const { exitCode, stderr } = await run(Import, ['ok.csv', '--map-file', 'bad.map.yaml', '--yes']);
      expect([text, exitCode]).toEqual([text, 2]);
      expect(stderr).toContain(`bad.map.yaml is not a table map: ${reason}`);
    }
    expect(await people()).toEqual([]);
  });

  it('checks all rows with --dry-run, and asks before it writes', async () => {
    put('dry.csv', 'name,age\nAda,1\nBo,x\n');
    const { counts, stderr, exitCode } = await imported('dry.csv', '--dry-run');
    expect({ exitCode, counts }).toMatchObject({ exitCode: 1, counts: { created: 1, rejected: 1 } });
    expect(stderr).toContain('line 3: age: ');
    expect(existsSync(join(site.root, 'dry.rejected.csv'))).toBe(false);
    expect((await run(Import, ['dry.csv', '--type', 'person'])).exitCode).toBe(2);
    expect(await people()).toEqual([]);
  });
});
