import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ContentExport from '../../../src/commands/content/export.js';
import ContentImport from '../../../src/commands/content/import.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import { HOUR_MS } from '../../../src/lib/units.js';
import { FILE_UID, USER_UID } from '../../../src/model/content-types/builtin-types.js';
import { exportContent } from '../../../src/project/archives/export-content.js';
import { importContent } from '../../../src/project/archives/import-content.js';
import { openArchive } from '../../../src/transfer/archive/open-archive.js';
import { runCommand } from '../../cli/support/run-command.js';
import { numberBelow } from './random-data.js';
import type { RandomWrite, Writer } from './random-writes.js';
import { publicPermission } from './tagged-site.js';

type Json = Readonly<Record<string, unknown>>;

const recordsIn = (body: unknown): readonly Json[] => {
  const { data = body } = Object(body) as { readonly data?: unknown };
  return Array.isArray(data) ? (data as readonly Json[]) : [];
};

/** Calls an operation of administration. */
const administer = ({ send }: Writer, operation: string, input: object = {}) =>
  send('POST', `/api/cms/${operation}`, input);

const draftTarget = ({ types, random, target }: Writer) => {
  const { uid } = random.pick(
    types.filter(({ draftAndPublish, kind }) => draftAndPublish && kind === 'collectionType'),
  );
  return target(uid);
};

const localeOf = (locale: string | undefined) => (locale === undefined ? {} : { locale });
const queryOf = (locale: string | undefined): string => (locale === undefined ? '' : `?locale=${locale}`);

const inOneHour = (): string => new Date(Date.now() + HOUR_MS).toISOString();

const restoreDeleted: RandomWrite = async (writer) => {
  const found = await administer(writer, 'trash/list', { limit: 10 });
  const entries = recordsIn(found.body);
  if (entries.length === 0) return null;
  const { id, type, documentId } = writer.random.pick(entries);
  const { status } = await administer(writer, 'trash/restore', { ids: [id] });
  if (status === 200) writer.addId(String(type), String(documentId));
  return [type, documentId];
};

const purgeDeleted: RandomWrite = async (writer) => {
  const { body } = await administer(writer, 'trash/list', { limit: 50 });
  const ids = recordsIn(body)
    .slice(40)
    .map(({ id }) => id);
  if (ids.length > 0) await administer(writer, 'trash/purge', { ids });
  return ids;
};

const schedule: RandomWrite = async (writer) => {
  const target = draftTarget(writer);
  if (target === null) return null;
  const key = writer.random.next() < 0.7 ? 'publishAt' : 'unpublishAt';
  const path = `${target.path}/schedule${queryOf(target.locale)}`;
  await writer.send('PUT', path, { data: { [key]: inOneHour() } });
  await writer.site.runSchedules();
  return [target.documentId, target.locale, key];
};

let releases = 0;

const release: RandomWrite = async (writer) => {
  const name = `release-${(releases += 1)}`;
  const changes = [1, 2, 3].flatMap(() => {
    const target = draftTarget(writer);
    if (target === null) return [];
    const { type, documentId, locale } = target;
    const action = writer.random.next() < 0.7 ? 'publish' : 'unpublish';
    return [{ type: type.uid, documentId, ...localeOf(locale), action }];
  });
  await administer(writer, 'releases/create', { name });
  for (const change of changes) await administer(writer, 'releases/add', { name, changes: [change] });
  if (writer.random.next() < 0.3) {
    await administer(writer, 'releases/schedule', { name, at: inOneHour() });
    await writer.site.runSchedules();
  } else await administer(writer, 'releases/publish', { name });
  if (writer.random.next() < 0.4)
    writer.follow(() => administer(writer, 'releases/revert', { name, isForced: true }));
  return changes;
};

const restoreVersion: RandomWrite = async (writer) => {
  const target = draftTarget(writer);
  if (target === null) return null;
  const { path, locale, documentId, type } = target;
  const { body } = await writer.send('GET', `${path}/versions${queryOf(locale)}`);
  const versions = recordsIn(body);
  if (versions.length === 0) return null;
  const { version } = writer.random.pick(versions);
  await writer.send('POST', `${path}/versions/${String(version)}/restore${queryOf(locale)}`);
  writer.follow(() =>
    writer.send('POST', '/api/cms/bulk', {
      data: [{ type: type.uid, action: 'publish', documentId, ...localeOf(locale) }],
    }),
  );
  return [documentId, version];
};

/** Deletes a locale of a document, and copies another one to it. */
const translate: RandomWrite = async ({ random, send, target, types }) => {
  const { uid } = random.pick(types.filter(({ localized }) => localized));
  const found = target(uid);
  if (found === null) return null;
  const from = found.locale === 'en' ? 'fr' : 'en';
  await send('DELETE', `${found.path}${queryOf(found.locale)}`);
  await send('POST', `${found.path}${queryOf(found.locale)}&from=${from}&status=${found.status}`, {
    data: {},
  });
  return [found.documentId, found.locale];
};

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const formWith = (content: string | Buffer | null, info: object): FormData => {
  const form = new FormData();
  form.append('fileInfo', JSON.stringify(info));
  if (content !== null) {
    const isText = typeof content === 'string';
    const blob = new Blob([Uint8Array.from(Buffer.from(content))], {
      type: isText ? 'text/plain' : 'image/png',
    });
    form.append('files', blob, isText ? 'file.txt' : 'file.png');
  }
  return form;
};

const contentOf = ({ random }: Writer): string | Buffer =>
  random.next() < 0.7 ? `content ${random.next()}` : PIXEL;

const upload: RandomWrite = async (writer) => {
  if (writer.idsOf(FILE_UID).length >= 8) return null;
  const info = { name: `file ${numberBelow(writer.random, 50)}` };
  const { body } = await writer.send('POST', '/api/upload', formWith(contentOf(writer), info));
  for (const { documentId } of recordsIn(body)) writer.addId(FILE_UID, String(documentId));
  return info;
};

/** Finds a random file that still exists. */
const fileId = async ({ random, send }: Writer): Promise<number | null> => {
  const { body } = await send('GET', '/api/upload/files');
  const files = recordsIn(body);
  return files.length === 0 ? null : Number(random.pick(files)['id']);
};

const onFile =
  (work: (writer: Writer, id: number) => Promise<unknown>): RandomWrite =>
  async (writer) => {
    const id = await fileId(writer);
    if (id === null) return null;
    await work(writer, id);
    return id;
  };

const describeFile = onFile((writer, id) => {
  const text = `text ${numberBelow(writer.random, 50)}`;
  const info = writer.random.pick([{ caption: text }, { alternativeText: text }, { name: text }]);
  return writer.send('POST', `/api/upload?id=${id}`, formWith(null, info));
});

const setFocalPoint = onFile((writer, id) => {
  const focalPoint = { x: numberBelow(writer.random, 100), y: 50 };
  return writer.send('POST', `/api/upload?id=${id}`, formWith(null, { focalPoint }));
});

const replaceFile = onFile((writer, id) =>
  writer.send('POST', `/api/upload?id=${id}`, formWith(contentOf(writer), {})),
);

const removeFile = onFile((writer, id) => writer.send('DELETE', `/api/upload/files/${id}`));

let users = 0;

const newUser = (): Json => {
  const username = `user${(users += 1)}`;
  return { username, email: `${username}@example.com`, password: 'Secret-12345' };
};

const userIn = (body: unknown): Json => {
  const { user = body } = Object(body) as { readonly user?: unknown };
  return Object(user) as Json;
};

const createUser: RandomWrite = async (writer) => {
  if (writer.idsOf(USER_UID).length >= 8) return null;
  const user = newUser();
  const created =
    writer.random.next() < 0.5
      ? await administer(writer, 'users/create', { ...user, role: 'authenticated', confirmed: true })
      : await writer.send('POST', '/api/auth/local/register', user);
  const { documentId } = userIn(created.body);
  const { documentId: nested = documentId } = Object(userIn(created.body)['data']) as Json;
  if (typeof nested === 'string') writer.addId(USER_UID, nested);
  return user['username'];
};

const onUser =
  (work: (writer: Writer, id: string) => Promise<unknown>): RandomWrite =>
  async (writer) => {
    const { body } = await writer.send('GET', '/api/users');
    const found = recordsIn(body);
    if (found.length === 0) return null;
    const id = String(writer.random.pick(found)['id']);
    await work(writer, id);
    return id;
  };

const changeUser = onUser((writer, id) => {
  const { random } = writer;
  const change = random.next() < 0.5 ? { username: `name${(users += 1)}` } : { blocked: random.next() < 0.5 };
  return writer.send('PUT', `/api/users/${id}`, change);
});

const removeUser = onUser((writer, id) => writer.send('DELETE', `/api/users/${id}`));

/** Revokes the public permission to read a type, and grants it again. */
const changePermissions: RandomWrite = async (writer) => {
  const type = writer.random.pick(writer.types);
  const assignment = publicPermission(type);
  const change = async (operation: string): Promise<unknown> => {
    await administer(writer, `permissions/${operation}`, assignment);
    return writer.site.app.access.refresh();
  };
  await change('unset');
  writer.follow(() => change('set'));
  return type.uid;
};

const changeLocales: RandomWrite = async (writer) => {
  const { locales, random } = writer;
  if (locales.has('de')) {
    await administer(writer, 'locales/remove', { code: 'de', acceptDataLoss: true });
    locales.delete('de');
  } else if (random.next() < 0.5) {
    await administer(writer, 'locales/add', { code: 'de' });
    locales.add('de');
  } else {
    await administer(writer, 'locales/add', { code: 'fr', isDefault: true });
    writer.follow(() => administer(writer, 'locales/add', { code: 'en', isDefault: true }));
  }
  await writer.site.app.access.refresh();
  return [...locales];
};

const changeTokens: RandomWrite = async (writer) => {
  await administer(writer, 'tokens/create', { name: 'reader', type: 'read-only', replace: true });
  return administer(writer, 'tokens/revoke', { name: 'reader' });
};

/** Runs a command in the project, as another process would. */
const command = async (
  { site, accept }: Writer,
  ...[type, argv]: readonly [Parameters<typeof runCommand>[0], readonly string[]]
): Promise<readonly string[]> => {
  const { exitCode, stderr } = await runCommand(type, argv, { cwd: site.project.root });
  if (exitCode === 0) accept();
  return [...argv, `exit ${exitCode}`, exitCode === 0 ? '' : stderr];
};

const updateByCommand: RandomWrite = async (writer) => {
  const target = draftTarget(writer);
  if (target === null) return null;
  const { type, documentId, locale } = target;
  const ofLocale = locale === undefined ? [] : ['--locale', locale];
  const set = ['--set', `text=text ${numberBelow(writer.random, 50)}`];
  return command(writer, ContentUpdate, [type.singularName, documentId, ...set, ...ofLocale, '--publish']);
};

/** Translates all texts of a type by a file for translators. */
const importTranslations: RandomWrite = async (writer) => {
  const file = join(writer.site.project.root, 'texts.xlf');
  const exported = await command(writer, ContentExport, ['both', '--xliff', file, '--locale', 'fr']);
  const text = await readFile(file, 'utf8');
  const translation = `text ${numberBelow(writer.random, 50)}`;
  await writeFile(
    file,
    text.replaceAll(
      /(<source[^>]*>[^<]*<\/source>)(\s*<target[^>]*>[^<]*<\/target>)?/g,
      `$1<target>${translation}</target>`,
    ),
  );
  return [exported, await command(writer, ContentImport, ['--xliff', file, '--yes', '--publish'])];
};

const PARTS = new Set(['content', 'files'] as const);

/** Imports an archive of the site's own content over it. */
const importArchive: RandomWrite = async ({ site: { project, app }, accept }) => {
  const path = join(project.root, 'archive.tar.gz');
  await exportContent(project, path, {
    form: 'galley',
    parts: PARTS,
    types: null,
    isCompressed: true,
    key: null,
  });
  const source = await openArchive(path, project.root);
  const options = { parts: PARTS, types: null, existing: 'replace' } as const;
  const request = { source, options, restarts: false, onError: () => undefined };
  await importContent(project, request, ({ run }) => run(() => undefined));
  await source.close();
  accept();
  return app.access.refresh();
};

/** Writes that are less frequent or slow, with their weights. */
export const RARE_WRITES: Readonly<Record<string, readonly [weight: number, write: RandomWrite]>> = {
  restoreDeleted: [16, restoreDeleted],
  purgeDeleted: [3, purgeDeleted],
  schedule: [8, schedule],
  release: [6, release],
  restoreVersion: [6, restoreVersion],
  translate: [12, translate],
  upload: [8, upload],
  describeFile: [14, describeFile],
  setFocalPoint: [3, setFocalPoint],
  replaceFile: [3, replaceFile],
  removeFile: [3, removeFile],
  createUser: [4, createUser],
  changeUser: [8, changeUser],
  removeUser: [2, removeUser],
  changePermissions: [0.3, changePermissions],
  changeLocales: [0.3, changeLocales],
  changeTokens: [0.3, changeTokens],
  updateByCommand: [0.3, updateByCommand],
  importTranslations: [0.1, importTranslations],
  importArchive: [0.1, importArchive],
};
