import { contradictedOptions } from '../../config/account-settings.js';
import type { AccountConfig } from '../../config/account-settings.js';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint, countNoun } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel } from '../../model/model.js';
import type { ContentSource, ImportOptions } from '../source.js';
import { FOLDER_UID, LOCALE_UID, compareSchemas } from './import-model.js';
import type { SchemaDifference } from './import-model.js';
import { createLinkContext, findExisting, findInterrupted, identityOf } from './import-context.js';
import type { ExistingDocuments, ImportTarget, Interrupted, KnownDocuments } from './import-context.js';
import { surveySource } from './survey.js';
import type { Survey } from './survey.js';
import type { Finding, Tally } from './tally.js';
import { examineLinks } from './write-links.js';
import { localesToWrite, tellTokens } from './write-settings.js';
import { openConversion } from './write-versions.js';

type Values = Readonly<Record<string, unknown>>;

const tellAccounts = (value: Values, accounts: AccountConfig, tally: Tally): void => {
  const what = 'plugin_users-permissions_advanced';
  const contradicted = contradictedOptions(accounts, value);
  if (contradicted.length > 0)
    tally.add({ what, reason: `cms.config states ${contradicted.join(', ')} otherwise, and wins` });
  if (value['unique_email'] === false)
    tally.add({ what, reason: 'unique_email: false does not hold: no two users have the same address here' });
};

const tellProviders = (value: Values, tally: Tally): void => {
  for (const [name, provider] of Object.entries(value))
    if (name !== 'email' && isRecord(provider) && provider['enabled'] === true)
      tally.add({
        what: `plugin_users-permissions_grant ${name}`,
        reason: `signs people in here, too; tell the service this server's address: cms provider list`,
      });
};

const tellUploads = (value: Values, tally: Tally): void => {
  if (value['responsiveDimensions'] !== false) return;
  const reason =
    'is kept for strapi.store; for uploads without formats, put into cms.config: upload: { breakpoints: {} }';
  tally.add({ what: 'plugin_upload_settings', reason });
};

const TELLERS: Readonly<Record<string, (value: Values, tally: Tally, accounts: AccountConfig) => void>> = {
  'plugin_users-permissions_advanced': (value, tally, accounts) => tellAccounts(value, accounts, tally),
  'plugin_users-permissions_grant': tellProviders,
  plugin_upload_settings: tellUploads,
};

/** Says which settings do not hold by themselves. Those of the administration panel are not worth a word. */
function tellSettings(
  { settings }: Survey,
  { parts, types }: ImportOptions,
  accounts: AccountConfig,
  tally: Tally,
): void {
  if (!parts.has('config') || types !== null) return;
  for (const record of settings) {
    if (record.type === 'webhook')
      tally.add({ what: 'webhooks', reason: 'are sent to from now on; see them with: cms webhook list' });
    else if (isRecord(record.value.value)) TELLERS[record.value.key]?.(record.value.value, tally, accounts);
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
  /** Strapi's. */
  readonly version: string | null;
  readonly types: readonly PlannedType[];
  readonly locales: readonly string[];
  readonly links: number;
  readonly files: { readonly rows: number; readonly objects: number; readonly bytes: number };
  readonly differences: readonly SchemaDifference[];
  /** Values that the import omits or changes, with reasons. */
  readonly findings: readonly Finding[];
  /** True if an interrupted import continues. */
  readonly resumes: boolean;
}

/** A plan, and what carrying it out needs. */
export interface PreparedImport extends KnownDocuments {
  readonly plan: ImportPlan;
  readonly survey: Survey;
  readonly interrupted: Interrupted | null;
}

export interface PlanRequest {
  readonly target: ImportTarget;
  readonly source: ContentSource;
  readonly options: ImportOptions;
  /** Leaves an import that was interrupted out of account. */
  readonly restarts: boolean;
  readonly model: ContentModel;
  readonly defaultLocale: string;
}

const typesOf = (survey: Survey, existing: ExistingDocuments): readonly PlannedType[] =>
  [...survey.rows]
    .filter(([uid]) => survey.selected(uid) !== undefined)
    .map(([uid, index]) => ({
      uid,
      documents: index.documentIds.length,
      versions: index.size,
      existing: existing.get(uid)?.size ?? 0,
    }))
    .toSorted((left, right) => byCodePoint(left.uid, right.uid));

const documentsOf = ({ rows }: Survey): readonly (readonly [string, readonly string[]])[] =>
  [...rows].map(([uid, index]) => [uid, index.documentIds]);

/** Types whose rows have no place here. */
const tellUnknownTypes = ({ counts, model }: Survey, { types, parts }: ImportOptions, tally: Tally): void => {
  for (const [uid, count] of counts) {
    if (model.typesByUid[uid] !== undefined || uid === LOCALE_UID || !parts.has('content')) continue;
    if (types !== null && !types.has(uid)) continue;
    const reason = 'the API has no folders; they are kept for exports, with the files in them';
    if (uid === FOLDER_UID) tally.add({ what: uid, reason }, count);
    else tally.add({ what: uid, reason: 'the project has no such content-type', isLoss: true }, count);
  }
};

/** Links of attributes that the project does not have. Those that Strapi has no more are left over there. */
const tellUnknownLinks = ({ links, model, schemas, selected }: Survey, tally: Tally): void => {
  for (const { owner, attribute, count } of links.attributes()) {
    const schema = selected(owner) ?? model.componentsByUid[owner];
    if (schema === undefined || Object.hasOwn(schema.attributes, attribute)) continue;
    if (owner === FILE_UID || attribute === 'localizations') continue;
    const isKnown = schemas.get(owner)?.attributes[attribute] !== undefined;
    const isIgnored = schema.ignoredAttributes.includes(attribute);
    const reason = isKnown ? 'the project has no such attribute' : 'Strapi has no such attribute any more';
    tally.add({ what: `${owner} ${attribute}`, reason, isLoss: isKnown && !isIgnored }, count);
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

const assertTypes = ({ counts, model, selected }: Survey, description: string): void => {
  const own = [...counts.keys()].filter((uid) => uid.startsWith('api::'));
  if (own.length === 0 || own.some((uid) => model.typesByUid[uid] !== undefined)) return;
  if ([...counts.keys()].some((uid) => uid === FILE_UID && selected(uid) !== undefined) && own.length === 0)
    return;
  throw createError('transfer/no-types', { path: description, types: own.join(', ') });
};

/**
 * Reads an export to its end and says what importing it does. Nothing is written.
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
  const survey = await surveySource(source, model, options, defaultLocale);
  assertTypes(survey, source.description);
  const isCleared = options.existing === 'clear';
  const existing =
    interrupted?.existing ?? (await findExisting(target, isCleared ? [] : documentsOf(survey)));
  const linked = await findExisting(target, isCleared ? [] : survey.missing);
  const types = typesOf(survey, existing);
  if (interrupted === null) assertNoConflict(types, options);
  const { tally } = survey;
  tellUnknownTypes(survey, options, tally);
  tellUnknownLinks(survey, tally);
  tellSettings(survey, options, target.accounts, tally);
  if (options.parts.has('config') && options.types === null) await tellTokens(source, tally);
  const { links, isWritten } = createLinkContext(survey, { existing, linked }, options, tally);
  const run = { target, survey, options, existing, isWritten, links, offsetOf: () => 0 };
  const convert = await openConversion(run);
  let linkRows = 0;
  for await (const record of source.entities())
    for (const [, rows] of convert(record).links) linkRows += rows.length;
  linkRows += examineLinks(run);
  const sizes = [...survey.assets.values()].map(({ size }) => size);
  const plan: ImportPlan = {
    source: source.description,
    product: source.product,
    version: source.version,
    types,
    locales: options.parts.has('content') ? localesToWrite(survey).map(({ code }) => code) : [],
    links: linkRows,
    files: {
      rows: types.find(({ uid }) => uid === FILE_UID)?.documents ?? 0,
      objects: sizes.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    },
    differences: compareSchemas(survey, source.product),
    findings: tally.all(),
    resumes: interrupted !== null,
  };
  return { plan, survey, existing, linked, interrupted };
}
