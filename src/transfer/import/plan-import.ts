import { contradictedOptions } from '../../config/account-settings.js';
import type { AccountConfig } from '../../config/account-settings.js';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint, countNoun } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel } from '../../model/model.js';
import { includesType } from '../source.js';
import type { ContentSource, ImportOptions } from '../source.js';
import { FOLDER_UID, LOCALE_UID, compareSchemas } from './import-model.js';
import type { Finding, ImportFindings, SchemaDifference } from './import-model.js';
import { createLinkContext, findExisting, findInterrupted, identityOf } from './import-context.js';
import type { ExistingDocuments, ImportTarget, Interrupted, KnownDocuments } from './import-context.js';
import { inspectSource } from './inspect-source.js';
import type { SourceInspection } from './inspect-source.js';
import { countLinks } from './write-links.js';
import { localesToWrite, reportTokens } from './write-settings.js';
import { openConversion } from './write-versions.js';

type SettingValues = Readonly<Record<string, unknown>>;

const reportAccounts = (value: SettingValues, accounts: AccountConfig, findings: ImportFindings): void => {
  const what = 'plugin_users-permissions_advanced';
  const contradicted = contradictedOptions(accounts, value);
  if (contradicted.length > 0)
    findings.add({
      what,
      reason: `cms.config sets ${contradicted.join(', ')} to other values, and takes precedence`,
    });
  if (value['unique_email'] === false)
    findings.add({ what, reason: 'unique_email: false has no effect: addresses of users are always unique' });
};

const reportProviders = (value: SettingValues, findings: ImportFindings): void => {
  for (const [name, provider] of Object.entries(value))
    if (name !== 'email' && isRecord(provider) && provider['enabled'] === true)
      findings.add({
        what: `plugin_users-permissions_grant ${name}`,
        reason: `also signs users in here; register this server's address there: cms provider list`,
      });
};

const reportUploads = (value: SettingValues, findings: ImportFindings): void => {
  if (value['responsiveDimensions'] !== false) return;
  const reason =
    'is kept for strapi.store; to upload without formats, set in cms.config: upload: { breakpoints: {} }';
  findings.add({ what: 'plugin_upload_settings', reason });
};

const SETTING_REPORTERS: Readonly<
  Record<string, (value: SettingValues, findings: ImportFindings, accounts: AccountConfig) => void>
> = {
  'plugin_users-permissions_advanced': (value, findings, accounts) =>
    reportAccounts(value, accounts, findings),
  'plugin_users-permissions_grant': reportProviders,
  plugin_upload_settings: reportUploads,
};

/** Reports settings that take effect only after further steps, except those of the administration panel. */
function reportSettings(
  { settings }: SourceInspection,
  { parts, types }: ImportOptions,
  accounts: AccountConfig,
  findings: ImportFindings,
): void {
  if (!parts.has('config') || types !== null) return;
  for (const record of settings) {
    if (record.type === 'webhook')
      findings.add({
        what: 'webhooks',
        reason: 'receive events from now on; list them with: cms webhook list',
      });
    else if (isRecord(record.value.value))
      SETTING_REPORTERS[record.value.key]?.(record.value.value, findings, accounts);
  }
}

/** Effect of an import on one content-type. */
export interface PlannedType {
  readonly uid: string;
  readonly documents: number;
  readonly versions: number;
  /** The number of documents that the database already has. */
  readonly existing: number;
}

export interface ImportPlan {
  readonly source: string;
  readonly product: ContentSource['product'];
  /** Version of Strapi. Null: unknown, or content of Galley. */
  readonly version: string | null;
  readonly types: readonly PlannedType[];
  readonly locales: readonly string[];
  readonly links: number;
  readonly files: { readonly rows: number; readonly objects: number; readonly bytes: number };
  readonly differences: readonly SchemaDifference[];
  /** SettingValues that the import omits or changes, with reasons. */
  readonly findings: readonly Finding[];
  /** True if an interrupted import continues. */
  readonly resumes: boolean;
}

/** A plan with the data that applying it requires. */
export interface PreparedImport extends KnownDocuments {
  readonly plan: ImportPlan;
  readonly inspection: SourceInspection;
  readonly interrupted: Interrupted | null;
}

export interface PlanRequest {
  readonly target: ImportTarget;
  readonly source: ContentSource;
  readonly options: ImportOptions;
  /** True if an interrupted import is ignored. */
  readonly restarts: boolean;
  readonly model: ContentModel;
  readonly defaultLocale: string;
}

const plannedTypesOf = (inspection: SourceInspection, existing: ExistingDocuments): readonly PlannedType[] =>
  [...inspection.rows]
    .filter(([uid]) => inspection.selected(uid) !== undefined)
    .map(([uid, index]) => ({
      uid,
      documents: index.documentIds.length,
      versions: index.size,
      existing: existing.get(uid)?.size ?? 0,
    }))
    .toSorted((left, right) => byCodePoint(left.uid, right.uid));

const documentIdsByType = ({ rows }: SourceInspection): readonly (readonly [string, readonly string[]])[] =>
  [...rows].map(([uid, index]) => [uid, index.documentIds]);

/** Reports rows of types that the project does not have. */
const reportUnknownTypes = (
  { counts, model }: SourceInspection,
  options: ImportOptions,
  findings: ImportFindings,
): void => {
  for (const [uid, count] of counts) {
    if (model.typesByUid[uid] !== undefined || uid === LOCALE_UID || !includesType(options, uid)) continue;
    const reason = 'the API has no folders; they are stored for exports, with the files in them';
    if (uid === FOLDER_UID) findings.add({ what: uid, reason }, count);
    else findings.add({ what: uid, reason: 'the project has no such content-type', isLoss: true }, count);
  }
};

/**
 * Reports links of attributes that the project does not have. Some are leftovers of attributes removed in
 * Strapi.
 */
const reportUnknownLinks = (
  { links, model, schemas, selected }: SourceInspection,
  findings: ImportFindings,
): void => {
  for (const { owner, attribute, count } of links.attributes()) {
    const schema = selected(owner) ?? model.componentsByUid[owner];
    if (schema === undefined || Object.hasOwn(schema.attributes, attribute)) continue;
    if (owner === FILE_UID || attribute === 'localizations') continue;
    const isKnown = schemas.get(owner)?.attributes[attribute] !== undefined;
    const isIgnored = schema.ignoredAttributes.includes(attribute);
    const reason = isKnown ? 'the project has no such attribute' : 'Strapi no longer has such an attribute';
    findings.add({ what: `${owner} ${attribute}`, reason, isLoss: isKnown && !isIgnored }, count);
  }
};

const assertNoConflict = (types: readonly PlannedType[], { existing }: ImportOptions): void => {
  const conflicts = types.filter((type) => type.existing > 0);
  if (existing !== 'refuse' || conflicts.length === 0) return;
  const count = conflicts.reduce((sum, type) => sum + type.existing, 0);
  throw createError('transfer/existing-documents', {
    count: countNoun(count, 'document'),
    documents: conflicts.map((type) => `${type.uid} (${type.existing})`).join(', '),
  });
};

const assertTypes = ({ counts, model, selected }: SourceInspection, description: string): void => {
  const projectTypes = [...counts.keys()].filter((uid) => uid.startsWith('api::'));
  if (projectTypes.length === 0 || projectTypes.some((uid) => model.typesByUid[uid] !== undefined)) return;
  if (
    [...counts.keys()].some((uid) => uid === FILE_UID && selected(uid) !== undefined) &&
    projectTypes.length === 0
  )
    return;
  throw createError('transfer/no-types', { path: description, types: projectTypes.join(', ') });
};

/**
 * Reads an export to its end and plans its import. Writes nothing.
 *
 * @throws `transfer/existing-documents`, `transfer/no-types`, `transfer/unfinished-import`
 */
export async function planImport({
  target,
  source,
  options,
  restarts,
  model,
  defaultLocale,
}: PlanRequest): Promise<PreparedImport> {
  const interrupted = restarts ? null : await findInterrupted(target.database, identityOf(source, options));
  const inspection = await inspectSource(source, model, options, defaultLocale);
  assertTypes(inspection, source.description);
  const isCleared = options.existing === 'clear';
  const existing =
    interrupted?.existing ?? (await findExisting(target, isCleared ? [] : documentIdsByType(inspection)));
  const linked = await findExisting(target, isCleared ? [] : inspection.missing);
  const types = plannedTypesOf(inspection, existing);
  if (interrupted === null) assertNoConflict(types, options);
  const { findings } = inspection;
  reportUnknownTypes(inspection, options, findings);
  reportUnknownLinks(inspection, findings);
  reportSettings(inspection, options, target.accounts, findings);
  if (options.parts.has('config') && options.types === null) await reportTokens(source, findings);
  const { links, isWritten } = createLinkContext(inspection, { existing, linked }, options, findings);
  const run = { target, inspection, options, existing, isWritten, links, offsetOf: () => 0 };
  const convert = await openConversion(run);
  let linkRows = 0;
  for await (const record of source.entities())
    for (const [, rows] of convert(record).links) linkRows += rows.length;
  linkRows += countLinks(run);
  const sizes = [...inspection.assets.values()].map(({ size }) => size);
  const plan: ImportPlan = {
    source: source.description,
    product: source.product,
    version: source.version,
    types,
    locales: options.parts.has('content') ? localesToWrite(inspection).map(({ code }) => code) : [],
    links: linkRows,
    files: {
      rows: types.find(({ uid }) => uid === FILE_UID)?.documents ?? 0,
      objects: sizes.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    },
    differences: compareSchemas(inspection, source.product),
    findings: findings.all(),
    resumes: interrupted !== null,
  };
  return { plan, inspection, existing, linked, interrupted };
}
