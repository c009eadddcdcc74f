import { readLocales, setDefaultLocale } from '../../access/locales.js';
import { WEBHOOKS_KEY } from '../../api/webhooks/webhook.js';
import type { StoredWebhook } from '../../api/webhooks/webhook.js';
import type { Transaction } from '../../database/database.js';
import { createDocumentId } from '../../lib/ids.js';
import { localeName } from '../../lib/names.js';
import { nonEmptyText } from '../../lib/text.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { STORE_PREFIX } from '../../database/server-state.js';
import type { ContentSource, EntityRecord, WebhookRecord, StoredFolder, StoredFolders } from '../source.js';
import { FOLDERS_KEY } from '../source.js';
import { readState, writeState } from './import-context.js';
import { FOLDER_UID } from './import-model.js';
import type { ImportRun } from './import-context.js';
import type { ImportedLocale, SourceInspection } from './inspect-source.js';
import type { ImportFindings } from './import-model.js';

/** Key prefixes of settings that belong to Strapi itself or to its administration panel. */
const INTERNAL = [
  'strapi_',
  'core_admin',
  'core_ee',
  'core_strapi',
  'plugin_content',
  'plugin_documentation',
  'plugin_i18n_',
  'plugin_review',
  'plugin_upload_api-folder',
  'plugin_upload_media_library',
  'plugin_upload_metrics',
  'plugin_upload_view',
];

/** True if project code may read a setting. */
const isKept = (key: string): boolean => !INTERNAL.some((beginning) => key.startsWith(beginning));

/** Returns a webhook with an id, without members that Galley does not store. */
const toStored = (webhook: WebhookRecord, id: string): StoredWebhook => {
  const { name, url, headers, events, enabled, contentTypes, locales, purge, timeout, retries, retryPause } =
    webhook;
  const types = contentTypes ?? [];
  return {
    id,
    name,
    url,
    headers,
    events,
    isEnabled: enabled,
    ...(types.length === 0 ? {} : { types }),
    ...(locales === undefined ? {} : { locales }),
    ...(purge === undefined ? {} : { purge }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(retries === undefined ? {} : { retries }),
    ...(retryPause === undefined ? {} : { retryPause }),
  };
};

const addWebhooks = async (tx: Transaction, webhooks: readonly WebhookRecord[]): Promise<void> => {
  const stored = ((await readState(tx, WEBHOOKS_KEY)) ?? []) as readonly StoredWebhook[];
  const added = webhooks.filter(
    ({ name, url }) => !stored.some((known) => known.name === name && known.url === url),
  );
  const last = Math.max(0, ...stored.map(({ id }) => Number(id)));
  const all = [...stored, ...added.map((webhook, index) => toStored(webhook, String(last + index + 1)))];
  if (added.length > 0) await writeState(tx, WEBHOOKS_KEY, all);
};

/** Writes settings and webhooks where `strapi.store` and `strapi.webhookStore` read them. */
export async function writeSettings(
  { inspection, options }: Pick<ImportRun, 'inspection' | 'options'>,
  tx: Transaction,
): Promise<void> {
  const webhooks: WebhookRecord[] = [];
  for (const record of inspection.settings) {
    if (record.type === 'webhook') {
      webhooks.push(record.value);
      continue;
    }
    const { key, value } = record.value;
    if (!isKept(key)) continue;
    const keepsExisting = options.existing === 'skip' && (await readState(tx, STORE_PREFIX + key)) !== null;
    if (!keepsExisting) await writeState(tx, STORE_PREFIX + key, value);
  }
  await addWebhooks(tx, webhooks);
}

/** Reports imported API tokens and the condition under which their keys work. */
export async function reportTokens(source: ContentSource, findings: ImportFindings): Promise<void> {
  let count = 0;
  for await (const _ of source.apiTokens()) count += 1;
  const reason = 'their keys work only if API_TOKEN_SALT is the same as in their original project';
  if (count > 0) findings.add({ what: 'API tokens', reason }, count);
}

/** Writes API tokens with the hashes of their keys. Existing tokens of the same name stay. */
export async function writeTokens(
  { source, options }: Pick<ImportRun, 'source' | 'options'>,
  tx: Transaction,
): Promise<void> {
  const tokens = tx.model('ApiToken');
  if (options.existing === 'clear') await tokens.deleteMany({ where: {} });
  for await (const { accessKey, permissions, lifespan: _, ...token } of source.apiTokens()) {
    if ((await tokens.count({ where: { name: token.name } })) > 0) continue;
    const actions = token.type === 'custom' || token.type === 'preview' ? permissions : [];
    await tokens.create({
      data: { ...token, keyHash: accessKey, permissions: { create: actions.map((action) => ({ action })) } },
      select: { id: true },
    });
  }
}

/** Returns locales of content that Strapi's list of locales lacks. */
const unlistedLocales = ({ rows, selected, locales }: SourceInspection): readonly ImportedLocale[] => {
  const codes = new Set<string>();
  for (const [uid, index] of rows)
    if (selected(uid)?.localized === true) for (const locale of index.locales) codes.add(locale);
  for (const { code } of locales) codes.delete(code);
  return [...codes].map((code) => ({
    id: 0,
    documentId: null,
    code,
    name: null,
    createdAt: null,
    updatedAt: null,
    publishedAt: null,
  }));
};

/** Returns the locales that the import adds or replaces. */
export function localesToWrite(inspection: SourceInspection): readonly ImportedLocale[] {
  return [...inspection.locales, ...unlistedLocales(inspection)];
}

const createLocale = async (
  tx: Transaction,
  { id, documentId, code, name, createdAt, updatedAt, publishedAt }: ImportedLocale,
  isDefault: boolean,
): Promise<void> => {
  const isFree = id > 0 && (await tx.model('Locale').findUnique({ where: { id } })) === null;
  await tx.model('Locale').create({
    data: {
      ...(isFree ? { id } : {}),
      documentId: documentId ?? createDocumentId(),
      code,
      name: name ?? localeName(code) ?? code,
      isDefault,
      publishedAt,
      ...(createdAt === null ? {} : { createdAt }),
      ...(updatedAt === null ? {} : { updatedAt }),
    },
  });
};

/** Writes the locales of the export. With settings, sets Strapi's default locale as the default. */
export async function writeLocales({ target, inspection, options, save }: ImportRun): Promise<void> {
  await target.database.transact(async (tx) => {
    const former = await readLocales(tx);
    const formerDefault = former.find(({ isDefault }) => isDefault)?.code;
    const known = options.parts.has('content') ? localesToWrite(inspection) : [];
    const codes = new Set([...known, ...former].map(({ code }) => code));
    const takesDefault = options.parts.has('config') && codes.has(inspection.defaultLocale);
    const defaultCode = takesDefault ? inspection.defaultLocale : formerDefault;
    const replaced = known.filter(
      ({ documentId, code }) => documentId !== null || !former.some((locale) => locale.code === code),
    );
    const codesOfImport = known.map(({ code }) => code);
    const deletesOthers = options.existing === 'clear' && known.length > 0;
    const where = deletesOthers
      ? { code: { notIn: codesOfImport.filter((code) => !replaced.some((locale) => locale.code === code)) } }
      : { code: { in: replaced.map(({ code }) => code) } };
    await tx.model('Locale').deleteMany({ where });
    for (const locale of replaced) await createLocale(tx, locale, locale.code === defaultCode);
    if (defaultCode !== undefined && defaultCode !== formerDefault) await setDefaultLocale(tx, defaultCode);
    await save(tx, {});
  });
}

const NO_FOLDERS: StoredFolders = { folders: [], files: {} };

const documentIdOf = ({ data }: EntityRecord): string | null => nonEmptyText(data['documentId']);

/** Returns the folders of an export, and the folder of each file. */
const foldersOf = ({ folders, links, rows }: SourceInspection): StoredFolders => {
  const ids = new Map(folders.map((folder) => [folder.id, documentIdOf(folder)]));
  const linkedFolder = (type: string, attribute: string, id: number): string | null => {
    const [link] = links.of(type, attribute, id);
    return link === undefined ? null : (ids.get(link.targetId) ?? null);
  };
  const files: Record<string, string> = {};
  for (const id of links.ownersOf(FILE_UID, 'folder')) {
    const file = rows.get(FILE_UID)?.get(id);
    const folder = linkedFolder(FILE_UID, 'folder', id);
    if (file !== undefined && folder !== null) files[file.documentId] = folder;
  }
  const stored = folders.flatMap((folder): readonly StoredFolder[] => {
    const documentId = documentIdOf(folder);
    if (documentId === null) return [];
    const { name, pathId, createdAt, updatedAt } = folder.data;
    return [
      {
        documentId,
        name: nonEmptyText(name) ?? documentId,
        pathId: typeof pathId === 'number' ? pathId : 0,
        parent: linkedFolder(FOLDER_UID, 'parent', folder.id),
        createdAt: nonEmptyText(createdAt),
        updatedAt: nonEmptyText(updatedAt),
      },
    ];
  });
  return { folders: stored, files };
};

/** Stores the folders of the media library for exports, since the API has no folders. */
export async function writeFolders(inspection: SourceInspection, tx: Transaction): Promise<void> {
  const { folders, files } = foldersOf(inspection);
  if (folders.length === 0) return;
  const former = ((await readState(tx, FOLDERS_KEY)) ?? NO_FOLDERS) as StoredFolders;
  const all = new Map([...former.folders, ...folders].map((folder) => [folder.documentId, folder]));
  await writeState(tx, FOLDERS_KEY, { folders: [...all.values()], files: { ...former.files, ...files } });
}
