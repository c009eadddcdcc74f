import type { Finding } from '../../api/administration/operation.js';
import { requireLocales } from '../../access/access.js';
import { listLocales } from '../../access/locales.js';
import { normaliseRule } from '../../access/permissions/rules.js';
import type { PermissionRule } from '../../access/permissions/rules.js';
import { listTokens } from '../../access/tokens.js';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import type { Config } from '../../config/config.js';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import { countNoun, redactUrl } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { historyError } from '../../migrations/apply/check-history.js';
import { isUpToDate } from '../../migrations/apply/migration-history.js';
import { readColumn } from '../../migrations/content/json/plan-json-columns.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import { isClientCurrent } from '../../migrations/prisma-client.js';
import { SHORT_TEXT_CHARACTERS, isTooLong } from '../../model/fields/text-value.js';
import type { Attribute, ContentModel, ContentType, Uid } from '../../model/model.js';
import { LOCALES_FILE, findOutdatedAccessFiles } from '../access-files.js';
import { diffGenerated, printProjectSchema } from '../generated-files.js';
import { planProject, projectMigrationStatus } from '../migrate/migrate-project.js';
import { createAccountSettingsSource } from '../open/open-accounts.js';
import { withAccess } from '../open/open-database.js';
import { printProblem } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';
import { remedyCommands } from '../read-advice/scan-remedies.js';
import { findScanningReads } from '../read-advice/suggest-indexes.js';
import { FIND_DRAFTS } from '../../query/read-access.js';
import { failed, ok, warning } from './check.js';

/** Stored values of one attribute that are longer than the API accepts. */
interface LongTexts {
  readonly type: Uid;
  /** The path of the attribute: `seo.title`. */
  readonly path: string;
  /** The maximum number of characters that the API accepts. */
  readonly characters: number;
  /** The number of such values, in all versions. */
  readonly count: number;
}

type Report = (path: string, characters: number) => void;

/** Reports each long text below an attribute of a component or dynamic zone. */
const visit = (
  model: ContentModel,
  attribute: Attribute,
  value: unknown,
  path: string,
  report: Report,
): void => {
  if (attribute.family === 'scalar') {
    if (isTooLong(attribute.field, value)) report(path, attribute.field.maxCharacters ?? 0);
    return;
  }
  if (attribute.family !== 'component' && attribute.family !== 'dynamiczone') return;
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    if (!isRecord(item)) continue;
    const uid = attribute.family === 'component' ? attribute.component : item['__component'];
    const component = typeof uid === 'string' ? model.componentsByUid[uid] : undefined;
    for (const member of Object.values(component?.attributes ?? {}))
      visit(model, member, item[member.name], `${path}.${member.name}`, report);
  }
};

const findInType = async (
  session: MigrationSession,
  model: ContentModel,
  type: ContentType,
): Promise<readonly LongTexts[]> => {
  const { table } = type.storage.version;
  const found = new Map<string, LongTexts>();
  for (const attribute of Object.values(type.attributes)) {
    if (!('column' in attribute)) continue;
    if (attribute.family === 'scalar' && attribute.field.maxCharacters === undefined) continue;
    const column = `CAST(v.${quoteName(attribute.column.name)} AS TEXT)`;
    await readColumn(
      session,
      {
        table,
        column: attribute.column.name,
        kind: attribute.column.kind,
        before: column,
        after: 'NULL',
        withNulls: false,
        versions: [`length(${column}) > ${SHORT_TEXT_CHARACTERS}`],
      },
      ({ before }) =>
        visit(model, attribute, before, attribute.name, (path, characters) => {
          const count = (found.get(path)?.count ?? 0) + 1;
          found.set(path, { type: type.uid, path, characters, count });
        }),
    );
  }
  return [...found.values()];
};

/** The parts of a project that locate its stored values. */
type LongTextSource = Pick<Project, 'dialect' | 'model'> & {
  readonly config: { readonly database: { readonly url: string } };
};

/** Finds stored values that are longer than the API accepts. All migrations must be applied. */
export async function findLongTexts({
  config,
  dialect,
  model,
}: LongTextSource): Promise<readonly LongTexts[]> {
  const session = await dialect.migrations.openSession(config.database.url, {
    lockTimeoutMs: 0,
    isWritable: false,
  });
  try {
    const found: LongTexts[] = [];
    for (const type of model.types) found.push(...(await findInType(session, model, type)));
    return found;
  } finally {
    await session.close();
  }
}

export async function examineTypes(project: Project): Promise<readonly Finding[]> {
  const projectTypeCount = project.model.types.filter(({ origin }) => origin === 'project').length;
  const warnings = project.warnings.map((problem) =>
    warning('content-types', printProblem(problem), `Correct ${problem.file}.`),
  );
  return [
    ok(
      'content-types',
      [
        countNoun(projectTypeCount, 'content-type'),
        countNoun(project.model.components.length, 'component'),
      ].join(', '),
    ),
    ...warnings,
  ];
}

/** Checks that the database is reachable and fully migrated. */
export async function examineDatabase(project: Project): Promise<readonly Finding[]> {
  const status = await projectMigrationStatus(project);
  const error = historyError(status);
  if (error !== null && status.failed.length === 0)
    return [failed('database', error.message, error.hint ?? '')];
  if (!isUpToDate(status)) {
    const counts = (['pending', 'unfinished', 'failed'] as const)
      .filter((key) => status[key].length > 0)
      .map((key) => `${status[key].length} ${key}`);
    return [failed('database', `Migrations: ${counts.join(', ')}.`, 'See: cms migrate status')];
  }
  const { sql } = await planProject(project);
  return [
    sql === ''
      ? ok('database', `${redactUrl(project.config.database.url)} is up to date`)
      : failed('database', 'The content-types have changes that no migration contains.', 'Run: cms migrate'),
  ];
}

/** Warns of stored values that are longer than the API accepts. Skipped if the database is not ready. */
export async function examineValues(project: Project): Promise<readonly Finding[]> {
  const [finding] = await examineDatabase(project).catch(() => []);
  if (finding?.status !== 'ok') return [];
  return (await findLongTexts(project)).map(({ type, path, characters, count }) =>
    warning(
      'values',
      `${type} ${path}: ${countNoun(count, 'value is', 'values are')} longer than ${characters} ` +
        'characters. They are kept until you change them.',
      'Change the type of the attribute to text, or shorten the values.',
    ),
  );
}

/** Warns of reads that scan many rows, from the servers' counts. Skipped if the database is not ready. */
export async function examineReads(project: Project): Promise<readonly Finding[]> {
  const [finding] = await examineDatabase(project).catch(() => []);
  if (finding?.status !== 'ok') return [];
  return (await findScanningReads(project)).map(({ read, calls, remedies }) =>
    warning(
      'reads',
      `${read}: scans more than 1,000 rows, and ran ${calls === 1 ? 'once' : `${calls} times`}.`,
      `Add an index: ${remedyCommands(remedies)}. See: cms index suggest`,
    ),
  );
}

export async function examineGenerated(project: Project): Promise<readonly Finding[]> {
  const changes = await diffGenerated(project);
  const isCurrent = isClientCurrent({
    dir: project.paths.client,
    schemaText: await printProjectSchema(project),
  });
  if (changes.length > 0)
    return [
      failed(
        'generated',
        `Not up to date: ${changes.map(({ path }) => path).join(', ')}.`,
        'Run: cms generate',
      ),
    ];
  return [
    isCurrent
      ? ok('generated', 'Prisma schema, client and types are up to date')
      : warning('generated', 'The Prisma client is missing or old.', 'Run: cms generate'),
  ];
}

/** Warns if the permission to find documents includes their drafts, as in Strapi. */
export function examineDraftSetting({ api }: Config): readonly Finding[] {
  if (!api.findIncludesDrafts) return [];
  return [
    warning(
      'drafts',
      'The permission to find documents includes their drafts: api.findIncludesDrafts is true.',
      'Grant findDrafts to the roles that need it (cms permissions set), then remove api.findIncludesDrafts.',
    ),
  ];
}

const REGISTER = 'plugin::users-permissions.auth.register';

/** Warns if anybody can create an account on a public server. */
export async function examineSignUp(project: Project): Promise<readonly Finding[]> {
  const isOpen = await withAccess(project, async (access) => {
    const [role] = await listPermissions(access, 'public');
    const { allowRegister } = await createAccountSettingsSource(project.config, access.database).current();
    return allowRegister && role?.actions.includes(REGISTER) === true;
  });
  if (!isOpen) return [ok('accounts', 'Sign-up is closed')];
  return [
    warning(
      'accounts',
      'Anybody can create an account: sign-up is open.',
      'Run: cms permissions unset public plugin::users-permissions.auth register',
    ),
  ];
}

/** Warns if no caller may read content, as after a deployment that applied no permissions. */
export async function examineGrants(project: Project): Promise<readonly Finding[]> {
  const types = project.model.types.filter(({ origin }) => origin === 'project').map(({ uid }) => `${uid}.`);
  const hasGrants = await withAccess(project, async (access) => {
    const roles = await listPermissions(access);
    if (roles.some(({ actions }) => actions.some((action) => types.some((uid) => action.startsWith(uid)))))
      return true;
    return (await listTokens(access)).length > 0;
  });
  if (types.length === 0 || hasGrants) return [];
  return [
    warning(
      'permissions',
      'No role is granted a content-type, and there is no token: the API rejects every request with 403.',
      'Run: cms permissions set public TYPE find findOne, then cms permissions export permissions.yaml, ' +
        'which cms deploy applies',
    ),
  ];
}

/** Warns of files with locales and permissions that the database does not match. */
export async function examineAccessFiles(project: Project): Promise<readonly Finding[]> {
  const files = await withAccess(project, (access) => findOutdatedAccessFiles(project, access));
  return files.map((file) => {
    const topic = file === LOCALES_FILE ? 'locale' : 'permissions';
    return warning(
      'permissions',
      `${file} differs from the database.`,
      `Run: cms deploy to apply the file, or cms ${topic} export ${file} to update it`,
    );
  });
}

/** Returns the reason why a rule could not be set now. Null: it fits the content-types and locales. */
const ruleProblem = (
  { model }: Project,
  locales: readonly string[],
  [action, rule]: readonly [string, PermissionRule],
): string | null => {
  try {
    normaliseRule(model, action, rule);
    requireLocales(rule.locales ?? [], locales);
    return null;
  } catch (error) {
    if (isGalleyError(error)) return error.message;
    throw error;
  }
};

/** Warns of limits of permissions that name attributes or locales that are gone, and so hide content. */
export async function examineLimits(project: Project): Promise<readonly Finding[]> {
  return withAccess(project, async (access) => {
    const locales = (await listLocales(access)).map(({ code }) => code);
    return (await listPermissions(access)).flatMap(({ role, rules }) =>
      [...rules].flatMap((entry) => {
        const problem = ruleProblem(project, locales, entry);
        if (problem === null) return [];
        const uid = withoutLastSegment(entry[0]);
        return warning(
          'permissions',
          `The permission ${entry[0]} of ${role.type} has limits that no longer fit: ${problem}`,
          `Set it again: cms permissions set ${role.type} ${uid} ${lastSegment(entry[0])} --keep`,
        );
      }),
    );
  });
}

/** Warns of types whose drafts are public. */
export async function examinePublicDrafts(project: Project): Promise<readonly Finding[]> {
  const { model, config } = project;
  const [role] = await withAccess(project, (access) => listPermissions(access, 'public'));
  const granted = new Set(role?.actions);
  const action = config.api.findIncludesDrafts ? 'find' : FIND_DRAFTS;
  const types = model.types.filter(
    ({ uid, draftAndPublish }) => draftAndPublish && granted.has(`${uid}.${action}`),
  );
  return types.length === 0
    ? [ok('drafts', 'Drafts require a credential')]
    : types.map(({ uid }) =>
        warning(
          'drafts',
          `Anybody can read drafts of ${uid} without a credential.`,
          action === 'find'
            ? 'Remove api.findIncludesDrafts from cms.config.'
            : `Run: cms permissions unset public ${uid} ${FIND_DRAFTS}`,
        ),
      );
}
