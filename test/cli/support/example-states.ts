import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOWN } from './answer-all.js';
import { fillArticles, insertReads } from './counted-reads.js';
import { writeExportArchive } from '../../support/strapi-export.js';
import { MEDIA_STATES } from './media-states.js';
import { REMOTE_STATES } from './remote-states.js';
import { schemaPath } from './schema-tables.js';
import { installProgram } from './shell.js';
import { RELEASE_STATES } from './release-states.js';
import { TABLE_STATES } from './table-states.js';
import type { TempProject } from './temp-project.js';
import { WEBHOOK_STATES } from './webhook-states.js';

/** The project that an example runs in, and a way to run other commands in it. */
interface ExampleSite extends TempProject {
  /** Runs a command line, which has to succeed. */
  readonly cms: (line: string) => Promise<void>;
}

/** What an example needs that a new, migrated blog does not have. */
export interface ExampleState {
  /** The template of the project; the blog where it is left out. */
  readonly template?: 'blank';
  readonly prepare?: (site: ExampleSite) => Promise<void> | void;
  /** What is typed at the questions. Without answers the example runs without a terminal. */
  readonly answers?: readonly (readonly [question: string, keys: string])[];
  readonly env?: Readonly<Record<string, string>>;
  /** The shell that the example is written for, and what its users have run in it before. */
  readonly shell?: { readonly name: 'zsh'; readonly setUp: string };
  /** The example serves until it is stopped. */
  readonly isServer?: true;
  /** The example runs until it is stopped. It works once stderr holds this text. */
  readonly runsUntil?: string;
}

const PASSWORD = 'correct horse';

const after = (...lines: readonly string[]): ExampleState => ({
  prepare: async ({ cms }) => {
    for (const line of lines) await cms(line);
  },
});

const WITH_ANN = after(`cms user create ann --email ann@example.com --password '${PASSWORD}'`);
const WITH_TOKEN = after('cms token create --name ci --type read-only');
const WITH_EDITOR = after('cms role create Editor');
const WITH_ANN_AND_EDITOR = after(
  'cms role create Editor',
  `cms user create ann --email ann@example.com --password '${PASSWORD}'`,
);
const WITH_GITHUB = after('cms provider set github --key 0a1b2c');
const WITH_FRENCH = after('cms locale add fr');
const FRENCH_ARTICLES = [
  'cms locale add fr',
  'cms type edit article --localized',
  'cms field edit article title --localized',
];
const WITH_FRENCH_ARTICLES = after(...FRENCH_ARTICLES);
const WITH_GERMAN_ARTICLES = after(
  'cms locale add de',
  'cms type edit article --localized',
  'cms field edit article title --localized',
);
const WITH_XLIFF = after(...FRENCH_ARTICLES, 'cms content export article --xliff article.fr.xlf --locale fr');
const WITH_SUBTITLE = after('cms field add article subtitle:string');
/** The names that the examples add are taken in a blog. */
const BLANK: ExampleState = { template: 'blank' };

/** The public role may do less than the file says. */
const WITH_PERMISSION_FILE = after(
  'cms permissions export permissions.yaml',
  'cms permissions unset public article',
);

/** French is in the file only. */
const WITH_LOCALE_FILE = after('cms locale add fr', 'cms locale export locales.yaml', 'cms locale remove fr');

const NOTE = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: false },
  attributes: { title: { type: 'string' } },
};

/** A version of an article is kept. */
const WITH_VERSION = after('cms content publish article a-starter-that-keeps');

/** Two articles are in the trash. */
const WITH_DELETED = after(
  'cms content delete article notes-on-rye --yes',
  'cms content delete article nine-islands-one-ferry --yes',
);
const WITH_RESTORABLE = after('cms content delete article notes-on-rye --yes');
const WITH_PURGEABLE = after('cms content delete article notes-on-rye --yes');

/** A folder for content as files, without files. */
const WITH_CONTENT_FOLDER: ExampleState = {
  prepare: ({ root }) => {
    mkdirSync(join(root, 'content'));
  },
};

/** No migration creates the content-type yet. */
const WITH_UNMIGRATED_TYPE: ExampleState = {
  prepare: ({ write }) => write({ [schemaPath('note')]: NOTE }),
};

/** As in a fresh clone, every migration is pending. */
const WITHOUT_DATABASE: ExampleState = { prepare: ({ root }) => rmSync(join(root, 'data.db')) };

const defineArticle = ({ read, write }: TempProject, attributes: object): void => {
  const path = schemaPath('article');
  const schema = JSON.parse(read(path)) as { readonly attributes: object };
  write({ [path]: { ...schema, attributes: { ...schema.attributes, ...attributes } } });
};

/** Articles have the colour blue and no source, and now blue is no colour and a source is required. */
const WITH_OUTDATED_VALUES: ExampleState = {
  prepare: async (site) => {
    defineArticle(site, {
      colour: { type: 'enumeration', enum: ['blue', 'red'], default: 'blue' },
      source: { type: 'string' },
    });
    await site.cms('cms migrate');
    defineArticle(site, {
      colour: { type: 'enumeration', enum: ['azure', 'red'] },
      source: { type: 'string', required: true },
    });
  },
};

/** A server has counted reads that an index would serve. */
const WITH_READS: ExampleState = {
  prepare: (site) => {
    fillArticles(site, '');
    insertReads(site);
  },
};

/** Somebody has written a script. */
const WITH_SCRIPT: ExampleState = {
  prepare: ({ write }) =>
    write({
      'scripts/count.ts':
        'export default async ({ documents, args }: { documents: any; args: readonly string[] }) =>\n' +
        "  console.log(await documents('api::article.article').count(), ...args);\n",
    }),
};

/** Somebody has copied an export of Strapi's into the folder. */
const WITH_EXPORT: ExampleState = {
  prepare: ({ root }) => {
    const data = {
      documentId: 'tz4a98xxat96iws9zmbrgj3a',
      name: 'Salt',
      publishedAt: '2026-01-02T03:04:05.678Z',
      locale: null,
    };
    writeExportArchive(join(root, 'export.tar.gz'), { entities: [{ type: 'api::tag.tag', id: 1, data }] });
  },
};

const WITH_BACKUP = after('cms backup backup.tar.gz');

/** By example; what is not listed runs in a new, migrated blog as it is. */
export const exampleStates: Readonly<Record<string, ExampleState>> = {
  'cms content watch': { runsUntil: 'Waiting for changes' },
  'cms content watch article --status published --json': { runsUntil: 'Waiting for changes' },
  "cms content watch --tag 'article*' --tag author.name": { runsUntil: 'Waiting for changes' },
  'source <(cms completion zsh)': {
    shell: { name: 'zsh', setUp: 'autoload -Uz compinit\ncompinit -D' },
  },
  'cms completion fish > ~/.config/fish/completions/cms.fish': {
    prepare: ({ root }) => {
      mkdirSync(join(root, '.config', 'fish', 'completions'), { recursive: true });
    },
  },
  'cms browse': { answers: [['', 'q']] },
  'cms browse article --locale en': { answers: [['', 'q']] },
  'cms console': { answers: [['Ctrl-D leaves', '.exit\r']] },
  'cms run scripts/count.ts': WITH_SCRIPT,
  'cms run scripts/count.ts red': WITH_SCRIPT,
  'cms sql': {
    prepare: ({ root }) => {
      installProgram(root, 'sqlite3', 'exit 0');
    },
    answers: [],
  },
  'cms dev': { isServer: true },
  'cms dev --port 8080 --host 0.0.0.0': { isServer: true },
  'cms start': { isServer: true },
  'cms start --host 0.0.0.0 --port 8080 --workers 4': { isServer: true },
  'cms new my-site --from-strapi old-site --yes': {
    prepare: ({ root }) => {
      const type = join(root, 'old-site', 'src', 'api', 'book', 'content-types', 'book');
      mkdirSync(type, { recursive: true });
      writeFileSync(
        join(type, 'schema.json'),
        JSON.stringify({
          kind: 'collectionType',
          collectionName: 'books',
          info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
          attributes: { title: { type: 'string' } },
        }),
      );
    },
  },
  'echo "$URL" | cms new my-site --database postgresql --database-url -': {
    env: { URL: 'postgresql://cms@localhost/site' },
  },

  'cms type add': {
    answers: [
      ['Name of the content-type', 'Recipe\r'],
      ['Plural, as in the URL', '\r'],
      ['Kind', '\r'],
      ['Enable drafts and publishing?', '\r'],
      ['Enable several languages?', '\r'],
      ['First attribute', 'title\r'],
      ['Type', 'string\r'],
      ['Options', '\r'],
      ['Next attribute', '\r'],
      ['Review', '\r'],
    ],
  },
  ["cms type add article --draft-publish --attribute 'title:string:required,maxLength=120' " +
  "--attribute 'slug:uid:targetField=title'"]: BLANK,
  "cms type add article --dry-run --attribute 'author:relation:manyToOne,target=author,inversedBy=articles'":
    { ...BLANK, ...after('cms type add author --attribute name:string') },
  'cms type add --from schema.json': { prepare: ({ write }) => write({ 'schema.json': NOTE }) },
  "cms field add article 'author:relation:manyToOne,target=author,inversedBy=articles'": after(
    'cms field remove article author --accept-data-loss',
  ),
  'cms index suggest --apply': WITH_READS,
  'cms field unindex article title': after('cms field index article title'),
  'cms field unsearch article title': after('cms field search article title'),
  'cms field remove article subtitle --dry-run': WITH_SUBTITLE,
  'cms field remove article subtitle views --accept-data-loss': after(
    'cms field add article subtitle:string views:integer',
  ),

  ["cms component add shared.seo --attribute 'metaTitle:string:required,maxLength=60' " +
  "--attribute 'metaDescription:text'"]: BLANK,
  'cms component add': {
    answers: [
      ['Category and name', 'shared.note\r'],
      ['First attribute', 'label\r'],
      ['Type', 'string\r'],
      ['Options', '\r'],
      ['Next attribute', '\r'],
      ['Review', '\r'],
    ],
  },
  'cms component remove shared.seo': {
    ...BLANK,
    ...after('cms component add shared.seo --attribute metaTitle:string'),
  },

  'cms migrate': WITH_UNMIGRATED_TYPE,
  'cms migrate down': WITH_SUBTITLE,
  'cms migrate undo --yes': after('cms field remove article author --accept-data-loss'),
  'cms migrate undo --dry-run': after('cms field remove article author --accept-data-loss'),
  'cms migrate forget --yes': after('cms field remove article author --accept-data-loss'),
  'cms migrate forget --dry-run': after('cms field remove article author --accept-data-loss'),
  'cms migrate squash --yes': WITH_SUBTITLE,
  'cms migrate down --dry-run': WITH_SUBTITLE,
  'cms migrate down --steps 2 --accept-data-loss': after(
    'cms field add article subtitle:string',
    'cms field add article footnote:string',
  ),
  'cms migrate --name "add tags" --dry-run': WITH_UNMIGRATED_TYPE,
  'cms migrate --rename article.title=headline': {
    prepare: ({ read, write }) => {
      const path = schemaPath('article');
      write({ [path]: read(path).replace('"title": {', '"headline": {').replace('"title"', '"headline"') });
    },
  },
  'cms migrate --map article.colour:blue=azure --set article.source=unknown': WITH_OUTDATED_VALUES,
  'cms deploy': WITHOUT_DATABASE,
  'cms deploy --dry-run': WITHOUT_DATABASE,
  'cms deploy --accept-data-loss': WITHOUT_DATABASE,
  'cms migrate deploy': WITHOUT_DATABASE,
  'cms migrate deploy --dry-run': WITHOUT_DATABASE,
  'cms migrate diff': WITH_UNMIGRATED_TYPE,
  'cms migrate diff > change.sql': WITH_UNMIGRATED_TYPE,

  'cms token list': WITH_TOKEN,
  'cms token create --name ci --type full-access --force --json': WITH_TOKEN,
  'TOKEN=$(cms token regenerate ci)': WITH_TOKEN,
  'cms token regenerate ci --lifespan 90d --json': WITH_TOKEN,
  'cms token revoke ci': WITH_TOKEN,
  'cms token revoke ci --dry-run': WITH_TOKEN,
  'cms token show ci': WITH_TOKEN,
  'cms token show ci --json': WITH_TOKEN,

  'cms permissions apply permissions.yaml': {
    ...WITH_PERMISSION_FILE,
    answers: [['Apply these permissions?', 'y\r']],
  },
  'cms permissions apply permissions.yaml --dry-run': WITH_PERMISSION_FILE,
  'cms permissions apply permissions.yaml --yes': WITH_PERMISSION_FILE,
  'cms permissions apply permissions.yaml --prune --yes': WITH_PERMISSION_FILE,
  'cms permissions diff permissions.yaml --exit-code': after('cms permissions export permissions.yaml'),
  ['cms permissions set authenticated article update --keep --fields title,body ' +
  '--where \'{"owner":{"id":"$user.id"}}\'']: after(
    'cms field add article body:richtext owner:relation:manyToOne,target=plugin::users-permissions.user',
  ),
  ['cms permissions set authenticated article find findOne findDrafts create update --status draft ' +
  '--locale en,de']: WITH_GERMAN_ARTICLES,
  'cms permissions set': {
    answers: [
      ['Whose permissions?', `${DOWN}\r`],
      ['What may public do?', ' \r'],
      ['Review', '\r'],
    ],
  },

  'cms role remove editor': WITH_EDITOR,
  'cms role remove editor --dry-run': WITH_EDITOR,
  'cms role remove editor --accept-data-loss': after(
    'cms role create Editor',
    `cms user create ann --email ann@example.com --role editor --password '${PASSWORD}'`,
  ),

  'cms user block ann': WITH_ANN,
  'cms user block ann@example.com': WITH_ANN,
  'cms user create ann --email ann@example.com': {
    answers: [
      ['Password', `${PASSWORD}\r`],
      ['Role', '\r'],
      ['Review', '\r'],
    ],
  },
  'echo "$PASSWORD" | cms user create ann --email ann@example.com --role editor --password -': {
    ...WITH_EDITOR,
    env: { PASSWORD },
  },
  'cms user list': WITH_ANN,
  'cms user list --role authenticated --json': WITH_ANN,
  'cms user remove ann --accept-data-loss': WITH_ANN,
  'cms user remove ann --dry-run': WITH_ANN,
  'cms user set-password ann': { ...WITH_ANN, answers: [['New password', `${PASSWORD}\r`]] },
  'echo "$PASSWORD" | cms user set-password ann --password -': { ...WITH_ANN, env: { PASSWORD } },
  'cms user set-role ann editor': WITH_ANN_AND_EDITOR,
  'cms user set-role ann@example.com editor --dry-run': WITH_ANN_AND_EDITOR,
  'cms user show ann': WITH_ANN,
  'cms user show ann@example.com --json': WITH_ANN,
  'cms user unblock ann': WITH_ANN,
  'cms user unblock ann@example.com': WITH_ANN,

  'cms content list article --missing-locale de': WITH_GERMAN_ARTICLES,
  'cms content translate article a-starter-that-keeps --to de': WITH_GERMAN_ARTICLES,
  "cms content translate article a-starter-that-keeps --to de --fields title --set 'title=Brot'":
    WITH_GERMAN_ARTICLES,
  'cms locale add fr --default': WITH_FRENCH,
  'cms locale remove fr': WITH_FRENCH,
  'cms locale remove fr --dry-run': WITH_FRENCH,
  'cms locale remove fr --accept-data-loss': WITH_FRENCH,

  'cms locale apply locales.yaml': {
    ...WITH_LOCALE_FILE,
    answers: [['Apply these locales?', 'y\r']],
  },
  'cms locale apply locales.yaml --dry-run': WITH_LOCALE_FILE,
  'cms locale apply locales.yaml --yes': WITH_LOCALE_FILE,
  'cms locale status --locale fr --json': WITH_FRENCH,
  'cms content export article --xliff article.fr.xlf --locale fr': WITH_FRENCH_ARTICLES,
  'cms content import --xliff article.fr.xlf --dry-run': WITH_XLIFF,
  'cms content import --xliff article.fr.xlf --publish --yes': WITH_XLIFF,

  ...REMOTE_STATES,
  'cms restore backup.tar.gz --dry-run': WITH_BACKUP,
  'cms provider enable github': WITH_GITHUB,
  'cms provider disable github': WITH_GITHUB,
  ...RELEASE_STATES,
  ...WEBHOOK_STATES,
  'cms restore backup.tar.gz --yes': WITH_BACKUP,
  'cms import export.tar.gz --dry-run': WITH_EXPORT,
  'cms import shop --check': {
    prepare: ({ root }) => {
      mkdirSync(join(root, 'shop', 'src'), { recursive: true });
    },
  },
  'cms import export.tar.gz --schemas --yes': WITH_EXPORT,
  'cms import export.tar.gz --type article --existing skip --json --yes': WITH_EXPORT,
  ...MEDIA_STATES,
  ...TABLE_STATES,
  'cms content diff --from content --exit-code': WITH_CONTENT_FOLDER,
  'cms content diff --from content --delete': WITH_CONTENT_FOLDER,
  'cms content push article --from content --dry-run': WITH_CONTENT_FOLDER,
  'cms content history article a-starter-that-keeps --version 1': WITH_VERSION,
  'cms content history article a-starter-that-keeps --diff 1': WITH_VERSION,
  'cms content restore article a-starter-that-keeps --version 1': WITH_VERSION,
  'cms content trash show 1': WITH_DELETED,
  'cms content trash show 1 --json': WITH_DELETED,
  'cms content trash restore 1': WITH_RESTORABLE,
  'cms content trash restore 1 2 --dry-run': WITH_DELETED,
  'cms content trash purge 1 --yes': WITH_PURGEABLE,
  'cms content trash purge --all --dry-run': WITH_DELETED,
  'cms content edit article notes-on-rye': { env: { EDITOR: 'true' } },
  'cms content edit article notes-on-rye --dry-run': { env: { EDITOR: 'true' } },
  'cms content create article --from lamp.md --dry-run': {
    prepare: ({ root }) =>
      writeFileSync(join(root, 'lamp.md'), '---\ntitle: A lamp\nauthor: ada-marsh\n---\n\nIt is *bright*.\n'),
  },
};
