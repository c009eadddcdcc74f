import type { MigrationSession } from '../database/dialect/migration-support.js';
import { isTooLong, SHORT_TEXT_CHARACTERS } from '../model/fields/text-value.js';
import { isRecord } from '../lib/is-record.js';
import { readColumn } from '../migrations/content/read-column.js';
import { quoteName } from '../migrations/migration-dialect.js';
import type { Attribute, ContentModel, ContentType, Uid } from '../model/model.js';
import type { Project } from './open-project.js';

/** Stored values of one attribute that have more characters than the API takes. */
interface LongTexts {
  readonly type: Uid;
  /** The path of the attribute: `seo.title`. */
  readonly path: string;
  /** The most characters that the API takes. */
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

/** The parts of a project that say where its values are. */
type LongTextSource = Pick<Project, 'dialect' | 'model'> & {
  readonly config: { readonly database: { readonly url: string } };
};

/** Finds stored values that are longer than the API takes. All migrations must be applied. */
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
