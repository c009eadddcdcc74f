import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeContent } from '../../../src/cli/content/with-content.js';
import { openContentProject } from '../../../src/cli/project/command-target.js';
import ContentCheck from '../../../src/commands/content/check.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import LocaleStatus from '../../../src/commands/locale/status.js';
import MediaAdd from '../../../src/commands/media/add.js';
import { openProject } from '../../../src/project/open/open-project.js';
import type { ContentFinding } from '../../../src/transfer/checks/check.js';
import type { CheckReport } from '../../../src/transfer/checks/run-checks.js';
import type { ContentDocument } from '../../../src/transfer/store/content-store.js';
import { createImage } from '../../api/media/support/client.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { createSharedSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const i18n = { pluginOptions: { i18n: { localized: true } } };

/** The attributes that faults are planted in. With `isStrict`, as they are when content is checked. */
const faulty = (isStrict: boolean) => ({
  note: { type: 'string', ...(isStrict ? { required: true } : {}) },
  code: { type: 'string', ...(isStrict ? { maxLength: 3 } : {}) },
  body: { type: 'richtext' },
  blocks: { type: 'blocks' },
});

const localized = (attributes: object) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, { ...value, ...i18n }]));

const schemaFiles = (isStrict: boolean) => ({
  'src/api/page/content-types/page/schema.json': {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true },
    ...i18n,
    attributes: {
      ...localized({ title: { type: 'string' }, ...faulty(isStrict) }),
      slug: { type: 'uid', targetField: 'title', ...i18n },
      cover: { type: 'media', multiple: false },
      secret: { type: 'string', private: true, required: true, default: 'a' },
      password: { type: 'password' },
      part: { type: 'component', component: 'parts.part', ...i18n },
      zone: { type: 'dynamiczone', components: ['parts.part', 'parts.outer'], ...i18n },
      parent: { type: 'relation', relation: 'manyToOne', target: 'api::page.page', inversedBy: 'children' },
      children: { type: 'relation', relation: 'oneToMany', target: 'api::page.page', mappedBy: 'parent' },
    },
  },
  'src/components/parts/part.json': {
    collectionName: 'components_parts_parts',
    info: { displayName: 'Part' },
    attributes: faulty(isStrict),
  },
  'src/components/parts/outer.json': {
    collectionName: 'components_parts_outers',
    info: { displayName: 'Outer' },
    attributes: { inner: { type: 'component', component: 'parts.part', repeatable: true } },
  },
});

const config = (settings: object) =>
  `export default ${JSON.stringify({
    content: { links: { 'api::page.page': '/:locale/pages/:slug' }, ...settings },
  })};\n`;

const paragraph = (...children: readonly object[]) => ({ type: 'paragraph', children });
const text = (value: string) => ({ type: 'text', text: value });
const link = (url: string) => paragraph(text('See '), { type: 'link', url, children: [text('this')] });

/** The places of a fault, with the path of the values there. */
const PLACES = {
  'top level': { path: '', locale: 'en', at: (values: object) => values },
  component: { path: 'part.', locale: 'en', at: (values: object) => ({ part: { ...CLEAN, ...values } }) },
  zone: {
    path: 'zone.1.inner.1.',
    locale: 'en',
    at: (values: object) => ({
      zone: [
        { __component: 'parts.part', ...CLEAN },
        { __component: 'parts.outer', inner: [CLEAN, { ...CLEAN, ...values }] },
      ],
    }),
  },
  'another locale': { path: '', locale: 'de', at: (values: object) => values },
} as const;

const CLEAN = {
  note: 'a',
  code: 'abc',
  body: 'Text, [site](https://example.org/x).',
  blocks: [paragraph(text('x'))],
};

interface Fault {
  readonly rule: string;
  readonly values: object;
  readonly attribute: string;
  readonly message: string;
}

/** @param url the address of a stored image */
const faults = (url: string): readonly Fault[] => {
  const dead = (attribute: string, value: unknown, message: string): Fault => ({
    rule: 'dead-link',
    attribute,
    values: { [attribute]: value },
    message,
  });
  const noFile = 'the media library has no such file.';
  const noPage = 'no published document has this address.';
  return [
    { rule: 'required-value', attribute: 'note', values: { note: null }, message: 'The value must be set.' },
    {
      rule: 'invalid-value',
      attribute: 'code',
      values: { code: 'abcd' },
      message: 'The value must be at most 3 characters.',
    },
    dead(
      'body',
      'a\n\n![a](/uploads/gone_1a.png)',
      `The image /uploads/gone_1a.png in line 3 is dead: ${noFile}`,
    ),
    dead(
      'body',
      '<a href="/uploads/%00_1a.pdf">a</a>',
      `The link /uploads/%00_1a.pdf in line 1 is dead: ${noFile}`,
    ),
    dead('blocks', [link('/uploads/gone_1a.pdf')], `The link /uploads/gone_1a.pdf is dead: ${noFile}`),
    dead('body', '[a][b]\n\n[b]: /en/pages/gone', `The link /en/pages/gone in line 1 is dead: ${noPage}`),
    dead('blocks', [link('/api/pages/gone?x=1#y')], `The link /api/pages/gone?x=1#y is dead: ${noPage}`),
    {
      rule: 'missing-alt-text',
      attribute: 'body',
      values: { body: `![](${url})` },
      message: `The image ${url} in line 1 has no alternative text.`,
    },
    {
      rule: 'missing-alt-text',
      attribute: 'blocks',
      values: { blocks: [{ type: 'image', image: { url, alternativeText: '' }, children: [text('')] }] },
      message: `The image ${url} has no alternative text.`,
    },
  ];
};

/** A finding in a form that tests compare. */
const brief = ({ rule, type, documentId, locale, status, path, message }: ContentFinding): string =>
  [rule, type, documentId, locale, status, path, message].map(String).join(' | ');

/** Writes drafts of pages in a locale: new ones, or those of an earlier document by its number. */
const writeDrafts = async (
  { root }: TempProject,
  writes: readonly (readonly [locale: string, data: object, document?: number])[],
): Promise<readonly string[]> => {
  const project = await openContentProject(root, {}, { warn: () => undefined, info: () => undefined });
  return writeContent(
    project,
    () => undefined,
    async (store) => {
      const ids: string[] = [];
      for (const [locale, data, number] of writes) {
        const documentId = number === undefined ? undefined : ids[number];
        const [outcome] = await store.write(
          'api::page.page',
          [
            documentId === undefined
              ? { action: 'create', locale, data: { ...data } }
              : { action: 'update', locale, documentId, data: { ...data } },
          ],
          { isAtomic: true },
        );
        if (outcome === undefined || 'error' in outcome)
          throw outcome?.error ?? new TypeError('Nothing was written.');
        if (!ids.includes(outcome.documentId)) ids.push(outcome.documentId);
      }
      return ids;
    },
  );
};

describe('cms content check', () => {
  let site: TempProject;
  let url = '';
  const expected: string[] = [];
  const check = async (...argv: readonly string[]) => {
    const result = await runCommand(ContentCheck, [...argv, '--json'], { cwd: site.root });
    expect(result.stdout).toContain('"findings"');
    return { exitCode: result.exitCode, report: result.json<CheckReport>() };
  };

  beforeAll(async () => {
    site = await createSharedSite({
      ...schemaFiles(false),
      'cms.config.ts': config({}),
      '.env': SECRETS,
    });
    // Node.js would cache a module of JavaScript.
    rmSync(join(site.root, 'cms.config.js'));
    writeFileSync(join(site.root, 'used.png'), await createImage(20, 10));
    writeFileSync(join(site.root, 'unused.txt'), 'Unused.');
    await runCommand(LocaleAdd, ['de'], { cwd: site.root });
    await runCommand(MediaAdd, ['used.png', '--alt', 'A used image'], { cwd: site.root });
    const project = await openContentProject(site.root, {}, { warn: () => undefined, info: () => undefined });
    await writeContent(
      project,
      () => undefined,
      async (store) => {
        const [file] = await store.find('plugin::upload.file', {});
        url = String(file?.['url']);
        const write = async (
          locale: string,
          values: object,
          documentId?: string,
        ): Promise<ContentDocument> => {
          const action = documentId === undefined ? ('create' as const) : ('update' as const);
          const [outcome] = await store.write(
            'api::page.page',
            [
              {
                action,
                locale,
                status: 'published',
                data: { ...values },
                ...(documentId === undefined ? {} : { documentId }),
              },
            ],
            { isAtomic: true },
          );
          if (outcome === undefined || 'error' in outcome)
            throw outcome?.error ?? new TypeError('Nothing was written.');
          if (outcome.document === null) throw new TypeError('The document was deleted.');
          return outcome.document;
        };
        const home = await write('en', {
          title: 'Home',
          slug: 'home',
          cover: file?.['id'],
          password: 'correct horse',
          ...CLEAN,
        });
        const pages = `[b](/en/pages/home) [c](/api/pages/${home.documentId}) [d](/about) [e](//x.org/a)`;
        const links = `![a](${url}?width=10) ${pages}`;
        await write(
          'de',
          { title: 'Start', slug: 'start', ...CLEAN, body: links, blocks: [link('/de/pages/start')] },
          home.documentId,
        );
        for (const fault of faults(url))
          for (const place of Object.values(PLACES)) {
            const slug = `fault-${expected.length}`;
            const faultyValues = place.at(fault.values);
            const { documentId } = await write('en', {
              title: slug,
              slug,
              ...CLEAN,
              ...(place.locale === 'en' ? faultyValues : {}),
            });
            const german = place.locale === 'de' ? faultyValues : {};
            await write('de', { title: slug, slug: `${slug}-de`, ...CLEAN, ...german }, documentId);
            const [version, path] = [`${place.locale} | published`, `${place.path}${fault.attribute}`];
            expected.push(
              `${fault.rule} | api::page.page | ${documentId} | ${version} | ${path} | ${fault.message}`,
            );
          }
      },
    );
    site.write(schemaFiles(true));
    const strict = await openProject(site.root);
    await migrateProjectDatabase(strict, { label: 'strict', acceptsInvalid: true });
  });

  it('finds every planted fault in every place, and nothing else', async () => {
    const { report, exitCode } = await check();
    expect(report.findings.map(brief).toSorted()).toEqual(expected.toSorted());
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ documents: 37, errors: 28, warnings: 8 });
  });

  it('restricts findings to a locale, a type and a number', async () => {
    const german = await check('--locale', 'de');
    expect(german.report.findings.map(brief).toSorted()).toEqual(
      expected.filter((line) => line.includes('| de |')).toSorted(),
    );
    expect((await check('--type', 'plugin::upload.file')).report.findings).toEqual([]);
    const { report } = await check('--limit', '2');
    expect(report.findings).toHaveLength(8);
    expect(report.counts).toEqual({
      'required-value': 4,
      'invalid-value': 4,
      'dead-link': 20,
      'missing-alt-text': 8,
    });
  });

  /** Runs the check without the planted faults. */
  const others = async (...argv: readonly string[]): Promise<readonly string[]> =>
    (await check(...argv)).report.findings.map(brief).filter((line) => !expected.includes(line));

  it('finds missing and outdated translations, equal slugs, and files without use or text', async () => {
    await runCommand(MediaAdd, ['unused.txt', 'used.png'], { cwd: site.root });
    const ids = await writeDrafts(site, [
      ['en', { title: 'Only English', slug: 'only-english' }],
      ['de', { title: 'Nur Deutsch', slug: 'home' }],
      ['de', { title: 'Alt', slug: 'alt' }],
      ['en', { title: 'New', slug: 'new', body: '[a](/en/pages/gone)' }, 2],
    ]);
    const [english = '', german = '', both = ''] = ids;
    const type = 'api::page.page';
    const found = await others();
    const older = 'The version in de is older than the one in en.';
    const dead = 'The link /en/pages/gone in line 1 is dead: no draft document has this address.';
    expect(found.filter((line) => line.includes(type)).toSorted()).toEqual([
      `dead-link | ${type} | ${both} | en | draft | body | ${dead}`,
      ...[
        `missing-translation | ${type} | ${english} | de | null |  | The document has no version in de.`,
        `missing-translation | ${type} | ${german} | en | null |  | The document has no version in en.`,
      ].toSorted(),
      `outdated-translation | ${type} | ${both} | de | null |  | ${older}`,
      expect.stringMatching(
        new RegExp(`^slug-collision \\| ${type} \\| ${german} \\| de \\| draft \\| slug \\| home is also`),
      ) as string,
    ]);
    expect(found.filter((line) => !line.includes(type))).toEqual([
      expect.stringMatching(/^missing-alt-text \| plugin::upload.file \|.*The image used.png has no/),
      expect.stringMatching(/^unused-file \| .* No document uses the file unused.txt\.$/),
      expect.stringMatching(/^unused-file \| .* No document uses the file used.png\.$/),
    ]);
    expect(await others('--type', 'page', '--status', 'published')).toEqual([]);
  });

  it('counts translations by type and locale', async () => {
    const { stdout } = await runCommand(LocaleStatus, ['--json'], { cwd: site.root });
    const type = 'api::page.page';
    expect(JSON.parse(stdout)).toEqual([
      { type: 'api::article.article', locale: 'en', complete: 0, missing: 0, outdated: 0 },
      { type: 'api::article.article', locale: 'de', complete: 0, missing: 0, outdated: 0 },
      { type, locale: 'en', complete: 39, missing: 1, outdated: 0 },
      { type, locale: 'de', complete: 38, missing: 1, outdated: 1 },
    ]);
    const table = await runCommand(LocaleStatus, ['--type', 'page', '--locale', 'de'], { cwd: site.root });
    expect(table.stdout).toBe(
      'TYPE            LOCALE  COMPLETE  MISSING  OUTDATED\n' +
        'api::page.page  de            38        1         1\n',
    );
    const other = await runCommand(LocaleStatus, ['--type', 'tag'], { cwd: site.root });
    expect(other).toMatchObject({ exitCode: 1, stdout: '' });
    expect(other.stderr).toContain('api::tag.tag is not localized');
  });

  it('prints annotations of GitHub, SARIF and text', async () => {
    const print = async (format: string) =>
      (await runCommand(ContentCheck, ['--format', format, '--type', 'page'], { cwd: site.root })).stdout;
    const file = 'src/api/page/content-types/page/schema.json';
    const lines = (await print('github')).trimEnd().split('\n');
    expect(lines).toHaveLength(41);
    expect(lines).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^::error file=${file},title=invalid-value::api::page.page ` +
            String.raw`\w+ \(en, published\) code: The value`,
        ),
      ),
    );
    const sarif = JSON.parse(await print('sarif')) as {
      readonly runs: readonly { readonly results: readonly object[]; readonly tool: object }[];
    };
    expect(sarif.runs[0]?.results).toHaveLength(41);
    expect(sarif.runs[0]?.results).toContainEqual(
      expect.objectContaining({
        ruleId: 'slug-collision',
        level: 'warning',
        locations: [expect.objectContaining({ physicalLocation: { artifactLocation: { uri: file } } })],
      }),
    );
    const printed = await print('text');
    expect(printed).toMatch(/^api::page.page \w+ \(en, published\)\n {2}error /m);
    expect(printed).toMatch(/29 errors and 12 warnings in 40 documents\.\n$/);
  });

  it('applies levels and runs the checks of src/checks', async () => {
    site.write({
      'cms.config.ts': config({
        checks: {
          'dead-link': 'off',
          'required-value': 'warning',
          'invalid-value': 'off',
          'old-title': 'warning',
        },
      }),
      'src/checks/old-title.ts': `import { defineCheck } from 'galley';
export default defineCheck({
  name: 'old-title',
  types: ['api::page.page'],
  check: async ({ title }, { locale }) =>
    title === 'Alt' && locale === 'de' ? [{ path: 'title', message: 'The title is old.' }] : [],
});
`,
    });
    const { report, exitCode } = await check('--type', 'page');
    expect(report.counts).toEqual({
      'required-value': 4,
      'missing-alt-text': 8,
      'missing-translation': 2,
      'outdated-translation': 1,
      'slug-collision': 1,
      'old-title': 1,
    });
    expect(exitCode).toBe(0);
    expect((await check('--type', 'page', '--max-warnings', '16')).exitCode).toBe(1);
  });

  it.each([
    [
      'a level of an unknown rule',
      { checks: { 'dead-lnk': 'off' } },
      /dead-lnk is not a rule\. Did you mean "dead-link"\?/,
    ],
    [
      'an address of an unknown type',
      { links: { 'api::pag.pag': '/:slug' } },
      /did you mean api::page\.page\?/,
    ],
    [
      'an address with an unknown attribute',
      { links: { 'api::page.page': '/:slog' } },
      /:slog, which is not an attr/,
    ],
    [
      'an address that identifies no document',
      { links: { 'api::page.page': '/:locale/pages' } },
      /must contain an attribute such as :documentId/,
    ],
  ])('rejects %s', async (_case, settings, message) => {
    site.write({ 'cms.config.ts': config(settings) });
    const { stderr, exitCode } = await runCommand(ContentCheck, [], { cwd: site.root });
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(message);
    expect(exitCode).toBe(1);
  });

  it.each([
    [
      'no check',
      'export default { name: "a" };',
      /broken\.ts could not be loaded: its default export must be a check/,
    ],
    [
      'the name of another rule',
      'export default { name: "dead-link", check: () => [] };',
      /there is another rule dead-link/,
    ],
    [
      'an unknown type',
      'export default { name: "a", types: ["api::x.x"], check: () => [] };',
      /a names the unknown content-type api::x\.x/,
    ],
    [
      'a check that throws',
      'export default { name: "a", check: () => { throw new Error("Oh no"); } };',
      /a failed at src\/checks\/broken\.ts:1.*Oh no/,
    ],
  ])('rejects a module with %s', async (_case, code, message) => {
    site.write({ 'cms.config.ts': config({}), 'src/checks/broken.ts': code });
    const { stderr, exitCode } = await runCommand(ContentCheck, ['--type', 'page'], { cwd: site.root });
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(message);
    expect(exitCode).toBe(1);
  });
});
