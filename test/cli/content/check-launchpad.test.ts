import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import ContentCheck from '../../../src/commands/content/check.js';
import ContentPush from '../../../src/commands/content/push.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import MediaAdd from '../../../src/commands/media/add.js';
import { openProject } from '../../../src/project/open/open-project.js';
import type { CheckReport } from '../../../src/transfer/checks/run-checks.js';
import { createImage } from '../../api/media/support/client.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { fixtureProject } from '../../support/models.js';
import { createSharedSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { ProjectFiles, TempProject } from '../support/temp-project.js';

const root = fixtureProject('launchpad');

/** The schema files of LaunchPad. Steps get a rich text, since LaunchPad has only blocks. */
const schemaFiles = (isStrict: boolean): ProjectFiles => {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const read = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as { readonly attributes: Record<string, object> };
  const files = paths
    .filter((path) => path.endsWith('.json'))
    .map((path) => [`src/${path.replaceAll('\\', '/')}`, read(join('src', path))] as const);
  for (const [path, { attributes }] of files) {
    if (path.endsWith('shared/steps.json')) attributes['details'] = { type: 'richtext' };
    if (isStrict && path.endsWith('shared/steps.json'))
      attributes['title'] = { type: 'string', maxLength: 5 };
    if (isStrict && path.endsWith('shared/button.json'))
      attributes['text'] = { type: 'string', required: true };
  }
  return Object.fromEntries(files);
};

const LINKS = {
  'api::page.page': 'https://launchpad.example/:locale/:slug',
  'api::article.article': 'https://launchpad.example/:locale/blog/:slug',
  'api::blog-page.blog-page': '/:locale/blog',
  'api::product-page.product-page': '/shop',
  'api::logo.logo': '/:locale/logos/:company',
};

const idOf = (name: string): string => name.padEnd(24, '0');

interface Page {
  readonly details?: string;
  readonly titles?: readonly string[];
  readonly buttons?: readonly (string | null)[];
}

const page = (name: string, locale: string, { details = '', titles = [], buttons = [] }: Page) => ({
  [`content/page/${name}.${locale}.yaml`]: {
    $documentId: idOf(name),
    $locale: locale,
    $status: 'published',
    slug: `${name}-${locale}`,
    dynamic_zone: [
      { __component: 'dynamic-zone.hero', CTAs: buttons.map((text) => ({ text })) },
      {
        __component: 'dynamic-zone.how-it-works',
        steps: ['', ...titles].map((title) => ({ title, details })),
      },
    ],
  },
});

const article = (name: string, locale: string, urls: readonly string[]) => ({
  [`content/article/${name}.${locale}.md`]: `---\n${JSON.stringify({
    $documentId: idOf(name),
    $locale: locale,
    $status: 'published',
    description: name,
    slug: `${name}-${locale}`,
    dynamic_zone: [{ __component: 'dynamic-zone.related-articles', articles: [idOf('news')] }],
  })}\n---\n${urls.map((url) => `- [link](${url})`).join('\n')}\n`,
});

const alive = (locale: string): readonly string[] => [
  `/${locale}/home-${locale}?a=1#b`,
  `https://launchpad.example/${locale}/blog/news-${locale}/`,
  `/${locale}/blog`,
  '/shop',
  `/${locale}/logos/Apollo`,
  '/api/articles?populate=*',
  '/api/blog-page',
  `/api/articles/${idOf('news')}`,
];

const markdown = (urls: readonly string[]): string => urls.map((url) => `[link](${url})`).join(' ');

const localeFiles = (locale: string): ProjectFiles => ({
  ...article('news', locale, alive(locale)),
  ...page('home', locale, {
    details: `${markdown(alive(locale))}\n\n<!-- <a href="/en/gone">hidden</a> -->`,
    titles: ['One'],
    buttons: ['Start'],
  }),
  ...page('about', locale, { titles: ['Two'], buttons: ['More'] }),
  [`content/blog-page/blog-page.${locale}.yaml`]: { $locale: locale, heading: 'Blog' },
  [`content/product-page/product-page.${locale}.yaml`]: { $locale: locale, heading: 'Shop' },
});

describe('cms content check of LaunchPad', () => {
  let site: TempProject;
  const cms = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await runCommand(command, [...argv, '--yes'], { cwd: site.root });
    expect(result).toMatchObject({ exitCode: 0 });
  };
  const check = async (): Promise<readonly string[]> => {
    const { stdout } = await runCommand(ContentCheck, ['--json'], { cwd: site.root });
    return (JSON.parse(stdout) as CheckReport).findings
      .map(({ rule, documentId, locale, status, path, message }) =>
        [rule, documentId.replace(/0+$/, ''), locale, status, path, message].map(String).join(' | '),
      )
      .toSorted();
  };

  beforeAll(async () => {
    site = await createSharedSite({
      ...schemaFiles(false),
      'cms.config.js': `export default ${JSON.stringify({ content: { links: LINKS } })};\n`,
      '.env': SECRETS,
    });
    writeFileSync(join(site.root, 'apollo.png'), await createImage(20, 10));
    await cms(LocaleAdd, 'de');
    await cms(MediaAdd, 'apollo.png', '--alt', 'Apollo');
    site.write({
      'content/logo/apollo.yaml': { $documentId: idOf('apollo'), company: 'Apollo', image: 'apollo.png' },
      ...localeFiles('de'),
      ...localeFiles('en'),
    });
    await cms(ContentPush);
  });

  it('finds nothing in content that content files have just filled', async () => {
    expect(await check()).toEqual([]);
  });

  it('finds all planted faults, and nothing else', async () => {
    const titles = Array.from({ length: 120 }, () => 'Too long');
    const gone = ['/xx/blog', '/xx/logos/Apollo', '/de/logos/Vostok', '/de/about-en', '/api/pages/gone'];
    site.write({
      ...page('home', 'de', { titles, buttons: ['Start', null] }),
      ...page('about', 'de', { details: `<p>\n<a title="a > b"\nhref="/de/gone">gone</a></p>` }),
      ...article('news', 'de', gone),
    });
    await cms(ContentPush);
    await cms(ContentUpdate, 'page', idOf('about'), '--locale', 'de', '--set', 'slug=home-en', '--publish');
    await cms(ContentUpdate, 'page', idOf('about'), '--locale', 'de', '--set', 'slug=about-de');
    site.write(schemaFiles(true));
    await migrateProjectDatabase(await openProject(site.root), { label: 'strict', acceptsInvalid: true });
    const dead = 'is dead: no published document has this address.';
    expect(await check()).toEqual(
      [
        ...gone.map((url) => `dead-link | news | de | published | content | The link ${url} ${dead}`),
        'dead-link | about | de | published | dynamic_zone.1.steps.0.details | ' +
          `The link /de/gone in line 2 ${dead}`,
        ...titles.map(
          (_, index) =>
            `invalid-value | home | de | published | dynamic_zone.1.steps.${index + 1}.title | ` +
            'The value must be at most 5 characters.',
        ),
        'required-value | home | de | published | dynamic_zone.0.CTAs.1.text | The value must be set.',
        'slug-collision | about | de | published | slug | ' +
          `home-en is also the value of the document ${idOf('home')} in en.`,
      ].toSorted(),
    );
  });
});
