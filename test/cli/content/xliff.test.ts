import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentExport from '../../../src/commands/content/export.js';
import ContentImport from '../../../src/commands/content/import.js';
import ContentShow from '../../../src/commands/content/show.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { createSharedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const i18n = { pluginOptions: { i18n: { localized: true } } };

const FILES = {
  'src/api/page/content-types/page/schema.json': {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true },
    ...i18n,
    attributes: {
      title: { type: 'string', required: true, ...i18n },
      slug: { type: 'uid', targetField: 'title', generate: true },
      lead: { type: 'text', ...i18n },
      price: { type: 'decimal', ...i18n },
      kind: { type: 'string' },
      body: { type: 'richtext', ...i18n },
      blocks: { type: 'blocks', ...i18n },
      aligned: { type: 'blocks', ...i18n },
      data: { type: 'json', ...i18n },
      part: { type: 'component', component: 'parts.part', ...i18n },
      zone: { type: 'dynamiczone', components: ['parts.part', 'parts.outer'], ...i18n },
    },
  },
  'src/components/parts/part.json': {
    collectionName: 'components_parts_parts',
    info: { displayName: 'Part' },
    attributes: {
      label: { type: 'string' },
      body: { type: 'richtext' },
      blocks: { type: 'blocks' },
      secret: { type: 'string', private: true },
      page: { type: 'relation', relation: 'oneToOne', target: 'api::page.page' },
    },
  },
  'src/components/parts/outer.json': {
    collectionName: 'components_parts_outers',
    info: { displayName: 'Outer' },
    attributes: { items: { type: 'component', component: 'parts.part', repeatable: true } },
  },
};

const text = (value: string, marks: object = {}) => ({ type: 'text', text: value, ...marks });

const ENGLISH = {
  title: 'Tea & "cake" <b>',
  lead: ' &amp; two\nlines\t \n',
  price: 1.5,
  kind: 'shared',
  body: '# Head\n\n- a\n- <img src="/x.png" alt="y">\n\n&nbsp; 😀 ]]>\n',
  blocks: [
    { type: 'heading', level: 2, children: [text('Two')] },
    { type: 'paragraph', children: [text('a '), text('bold', { bold: true }), text(' & more')] },
  ],
  // Markdown cannot express the alignment.
  aligned: [
    { type: 'paragraph', align: 'right', children: [text('Left '), text('alone', { bold: true })] },
    { type: 'paragraph', align: 'right', children: [text('  ')] },
  ],
  data: { text: 'kept' },
  part: { label: 'Part', body: 'part body', secret: 'hidden' },
  zone: [
    { __component: 'parts.part', label: 'Zone', blocks: [{ type: 'paragraph', children: [text('Deep')] }] },
    { __component: 'parts.outer', items: [{ label: 'One' }, { label: 'Two', body: '  ' }] },
  ],
};

describe('translations as XLIFF', () => {
  let site: TempProject;
  let documentId = '';
  const run = (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
    runCommand(command, argv, { cwd: site.root });
  const succeed = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await run(command, ...argv);
    expect({ argv, stderr: result.stderr, exitCode: result.exitCode }).toMatchObject({ exitCode: 0 });
    return result.stdout;
  };
  const write = async (command: Parameters<typeof runCommand>[0], argv: readonly string[], data: object) => {
    writeFileSync(join(site.root, 'data.json'), JSON.stringify(data));
    return (await succeed(command, ...argv, '--from', 'data.json')).trim();
  };
  const show = async (locale: string, ...argv: readonly string[]): Promise<object> => {
    const { document } = JSON.parse(
      await succeed(ContentShow, 'page', documentId, '--locale', locale, '--json', ...argv),
    ) as { readonly document: object };
    return document;
  };
  const file = () => join(site.root, 'pages.de.xlf');
  const exportPages = () => succeed(ContentExport, 'page', '--xliff', 'pages.de.xlf', '--locale', 'de');
  const importPages = (...argv: readonly string[]) =>
    run(ContentImport, '--xliff', 'pages.de.xlf', '--yes', ...argv);
  /** Translates every text that has no translation, like a translator's tool. */
  const translate = (translation: (source: string) => string) => {
    const xml = readFileSync(file(), 'utf8');
    writeFileSync(
      file(),
      xml.replaceAll(
        /<source>([^<]*)<\/source>(\s*)<\/segment>/g,
        (_match, source: string, space: string) =>
          `<source>${source}</source>${space}<target>${translation(source)}</target>${space}</segment>`,
      ),
    );
  };

  beforeAll(async () => {
    site = await createSharedSite(FILES);
    await succeed(LocaleAdd, 'de');
    documentId = await write(ContentCreate, ['page'], ENGLISH);
  });

  it('exports all texts, and names the attributes with others', async () => {
    const { stdout, stderr } = await run(ContentExport, 'page', '--xliff', 'pages.de.xlf', '--locale', 'de');
    expect(stdout).toBe('Exported 12 texts of 1 document to pages.de.xlf.\n');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'The file does not contain api::page.page.data (json), parts.part.secret (private).',
    );
    const xml = readFileSync(file(), 'utf8');
    expect([...xml.matchAll(/<unit id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'title',
      'lead',
      'body',
      'blocks',
      'aligned.0.children.0.text',
      'aligned.0.children.1.text',
      'part.label',
      'part.body',
      'zone.0.label',
      'zone.0.blocks',
      'zone.1.items.0.label',
      'zone.1.items.1.label',
    ]);
    expect(xml).toContain('<source>Tea &amp; "cake" &lt;b&gt;</source>');
    expect(xml).toContain('<note>Markdown</note>');
    expect(xml).not.toContain('hidden');
    expect(await succeed(ContentExport, '--xliff', '-', '--locale', 'de')).toBe(xml);
  });

  it('changes nothing if nothing is translated', async () => {
    const result = await importPages();
    expect(result).toMatchObject({ stdout: 'Nothing to import.\n', exitCode: 0 });
    expect(result.stderr).toContain('12 texts of the file have no translation.');
  });

  it('creates a version that equals its source if the translations do', async () => {
    translate((source) => source);
    expect(await importPages('--dry-run')).toMatchObject({ stdout: 'Would write 1 document in de.\n' });
    expect((await run(ContentShow, 'page', documentId, '--locale', 'de')).exitCode).toBe(1);
    expect((await importPages()).stdout).toBe('Wrote 1 document in de.\n');
    const system: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'locale']);
    const comparable = (document: object): unknown =>
      JSON.parse(JSON.stringify(document, (key, value: unknown) => (system.has(key) ? undefined : value)));
    expect(comparable(await show('de'))).toEqual(comparable(await show('en')));
  });

  it('exports translations, and changes nothing when they are imported again', async () => {
    await exportPages();
    const before = await show('de');
    expect(readFileSync(file(), 'utf8').match(/<target>/g)).toHaveLength(12);
    expect((await importPages()).stdout).toBe('Nothing to import.\n');
    expect(await show('de')).toEqual(before);
  });

  it('writes changed texts only, and keeps private values of components', async () => {
    await write(ContentUpdate, ['page', documentId, '--locale', 'de'], {
      part: { label: 'Teil', body: 'part body', secret: 'geheim' },
    });
    await exportPages();
    const xml = readFileSync(file(), 'utf8');
    writeFileSync(
      file(),
      xml
        .replace('<target>Teil</target>', '<target>Das Teil</target>')
        .replace('<target>One</target>', '<target>Eins</target>')
        .replace('<target>alone</target>', '<target>allein</target>')
        .replace('<target>Deep</target>', '<target>Tief **unten**</target>'),
    );
    expect((await importPages('--publish')).stdout).toBe('Wrote 1 document in de.\n');
    expect(await show('de', '--status', 'published')).toMatchObject({
      title: ENGLISH.title,
      price: 1.5,
      aligned: [
        { align: 'right', children: [text('Left '), text('allein', { bold: true })] },
        { align: 'right', children: [text('  ')] },
      ],
      data: { text: 'kept' },
      part: { label: 'Das Teil', body: 'part body' },
      zone: [
        {
          label: 'Zone',
          blocks: [{ type: 'paragraph', children: [text('Tief '), text('unten', { bold: true })] }],
        },
        { items: [{ label: 'Eins' }, { label: 'Two' }] },
      ],
    });
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(join(site.root, 'data.db'), { readonly: true });
    const rows = database.prepare("select part from pages where locale = 'de'").all();
    database.close();
    expect(JSON.stringify(rows)).toContain('geheim');
  });

  it('reports translations with other components or blocks, and replaces them', async () => {
    const other = await write(ContentCreate, ['page'], {
      title: 'Other',
      aligned: [{ type: 'paragraph', align: 'left', children: [text('Text')] }],
      zone: [{ __component: 'parts.part', label: 'Zone' }],
    });
    await write(ContentUpdate, ['page', other, '--locale', 'de'], {
      title: 'Anderes',
      aligned: [{ type: 'quote', children: [text('Zitat')] }],
      zone: [{ __component: 'parts.outer', items: [{ label: 'Eins' }] }],
    });
    const exported = await run(ContentExport, 'page', '--xliff', 'pages.de.xlf', '--locale', 'de', '--json');
    expect(JSON.parse(exported.stdout)).toMatchObject({
      mismatched: [`api::page.page ${other} aligned`, `api::page.page ${other} zone`],
      omittedAttributes: ['api::page.page.data (json)', 'parts.part.secret (private)'],
    });
    const place = `api::page.page ${other} zone has other components or blocks in de than in en.`;
    expect(
      (await run(ContentExport, '--xliff', '-', '--locale', 'de')).stderr.replaceAll(/\s+/g, ' '),
    ).toContain(`${place} Its translation is omitted.`);
    translate((source) => `${source} auf Deutsch`);
    const result = await importPages('--json');
    expect(result.stderr.replaceAll(/\s+/g, ' ')).toContain(`${place} They are replaced.`);
    expect(JSON.parse(result.stdout)).toMatchObject({
      documents: [{ documentId: other, texts: 2, replaced: ['aligned', 'zone'] }],
    });
    const shown = await succeed(ContentShow, 'page', other, '--locale', 'de', '--json');
    expect(JSON.parse(shown)).toMatchObject({
      document: {
        title: 'Anderes',
        aligned: [{ align: 'left', children: [text('Text auf Deutsch')] }],
        zone: [{ __component: 'parts.part', label: 'Zone auf Deutsch' }],
      },
    });
    await succeed(ContentDelete, 'page', other, '--yes');
  });

  it('writes translations of components whose texts are empty', async () => {
    const other = await write(ContentCreate, ['page'], { title: 'Other', part: { label: 'Part' } });
    await write(ContentUpdate, ['page', other, '--locale', 'de'], {
      title: 'Anderes',
      part: { label: null },
    });
    await exportPages();
    translate((source) => `${source} auf Deutsch`);
    expect((await importPages()).stdout).toBe('Wrote 1 document in de.\n');
    expect(JSON.parse(await succeed(ContentShow, 'page', other, '--locale', 'de', '--json'))).toMatchObject({
      document: { title: 'Anderes', part: { label: 'Part auf Deutsch' } },
    });
    await succeed(ContentDelete, 'page', other, '--yes');
  });

  it('skips texts whose source has changed, and translations that blocks do not support', async () => {
    await exportPages();
    translate((source) => source);
    const xml = readFileSync(file(), 'utf8');
    await write(ContentUpdate, ['page', documentId], { title: 'Coffee' });
    writeFileSync(file(), xml.replace('<target>Eins</target>', '<target>1</target>'));
    const changed = await importPages();
    expect(changed.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `api::page.page ${documentId} title is skipped: the source text has changed since the export.`,
    );
    expect(changed).toMatchObject({ stdout: 'Wrote 1 document in de. 1 is skipped.\n', exitCode: 1 });
    writeFileSync(
      file(),
      xml.replace(/<target>## Two[^<]*<\/target>/, '<target>| a |\n| - |\n\n***</target>'),
    );
    const invalid = await importPages();
    expect(invalid.stderr.replaceAll(/\s+/g, ' ')).toMatch(/blocks: line \d+ of the translation/);
    expect(invalid).toMatchObject({ stdout: 'Nothing to import.\n', exitCode: 1 });
  });

  it.each([
    ['<a/>', /it has no element xliff/],
    ['no XML', /pages\.de\.xlf is not XLIFF 2\.0/],
    ['<xliff version="2.0"><file id="a"></xliff>', /Unexpected close tag/],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::page.page:a"><unit id="t"/>',
      /it ends before the end of the element xliff/,
    ],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::page.page:a"><unit id="t" name="t"/>' +
        '</file></xliff>',
      /a unit has no source/,
    ],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::page.page:a"><unit id="t">' +
        '<segment><source>a</source></segment><segment><source>b</source></segment></unit></file></xliff>',
      /a unit has several segments/,
    ],
    ['<xliff version="1.2"/>', /its version must be 2\.0/],
    ['<xliff version="2.0" srcLang="en"><file id="api::page.page:a"/></xliff>', /trgLang must name/],
    ['<xliff version="2.0" srcLang="en" trgLang="xx"><file id="api::page.page:a"/></xliff>', /xx/],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::page.page:a"><unit id="t"><segment>' +
        '<source>a</source><target><pc id="1">b</pc></target></segment></unit></file></xliff>',
      /the unit t must have a source and a target of plain text/,
    ],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::page.page:_x"/></xliff>',
      /names no document/,
    ],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::page.page:gone"/></xliff>',
      /gone is skipped: the document does not exist/,
    ],
    [
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="api::x.x:gone"/></xliff>',
      /there is no content-type api::x\.x/,
    ],
  ])('rejects %s', async (xml, message) => {
    writeFileSync(file(), xml);
    const { stderr, exitCode } = await importPages();
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(message);
    expect(exitCode).toBe(1);
  });

  it('skips texts that the document does not have', async () => {
    await exportPages();
    const xml = readFileSync(file(), 'utf8');
    writeFileSync(file(), xml.replace('<unit id="title"', '<unit id="titel"'));
    expect((await importPages()).stderr.replaceAll(/\s+/g, ' ')).toContain(
      `api::page.page ${documentId} titel is skipped: the document has no such text.`,
    );
  });

  it('reports documents without a draft in the source locale', async () => {
    const argv = ['page', '--xliff', '-', '--source', 'de', '--locale', 'en'];
    expect((await run(ContentExport, ...argv)).stderr).not.toContain('no draft');
    const other = await write(ContentCreate, ['page'], { title: 'Other' });
    expect((await run(ContentExport, ...argv)).stderr).toContain('1 document has no draft in de.');
    await succeed(ContentDelete, 'page', other, '--yes');
  });

  it('rejects types without locales and a translation into the source locale', async () => {
    const untranslatable = await run(ContentExport, 'tag', '--xliff', '-', '--locale', 'de');
    expect(untranslatable.stderr).toContain('api::tag.tag is not localized');
    const same = await run(ContentExport, '--xliff', '-', '--locale', 'en');
    expect(same).toMatchObject({ exitCode: 2 });
  });
});
