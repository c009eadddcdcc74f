import type { MigrationSession, SessionRow } from '../../dialects/migration-support.js';
import { isRecord } from '../../lib/is-record.js';
import { holdsLogic } from '../../lib/json-logic.js';
import type { Attribute, AttributeCondition, ContentType } from '../../model/model.js';
import { quoteName } from '../migration-dialect.js';
import type { ContentPlanRequest, Survey } from './content-plan.js';
import { isStored, linkConditions } from './links/survey-required.js';
import { isNewlyRequired } from './json/value-change.js';
import { isLinkAttribute } from './links/match-links.js';
import type { KeptScalar, ScalarChange } from './scalars/scalar-change.js';
import { convertedSql } from './scalars/scalar-sql.js';
import { fromVersions, hasColumn, parseReadable, readable, readBatches } from './scalars/survey-scalar.js';
import { Tally } from './tally.js';

/** An attribute that its condition requires after the migration, and that need not have been set before. */
interface ConditionalAttribute {
  readonly before: ContentType;
  readonly after: ContentType;
  readonly from: Attribute | null;
  readonly attribute: Attribute;
  readonly condition: AttributeCondition;
  /** What becomes of the values that the condition reads. */
  readonly siblings: readonly KeptScalar[];
}

const isList = (attribute: Attribute): boolean => isLinkAttribute(attribute) && attribute.many;

const isFilled = (changes: readonly ScalarChange[], after: ContentType, name: string): boolean =>
  changes.some(
    (change) =>
      change.kind === 'kept' &&
      change.after === after &&
      change.attribute.name === name &&
      change.fill !== null,
  );

const findConditional = (
  { match }: ContentPlanRequest,
  changes: readonly ScalarChange[],
): readonly ConditionalAttribute[] =>
  match.types.flatMap(({ before, after, attributes }) =>
    attributes.flatMap(({ before: from, after: attribute }) => {
      if (after === null || attribute?.condition?.isRequired !== true) return [];
      if (!isNewlyRequired(from, attribute) || isList(attribute)) return [];
      if (isFilled(changes, after, attribute.name)) return [];
      const { condition } = attribute;
      const siblings = changes.filter(
        (change): change is KeptScalar =>
          change.kind === 'kept' && change.after === after && condition.reads.includes(change.attribute.name),
      );
      return [{ before, after, from, attribute, condition, siblings }];
    }),
  );

/** SQL conditions that a version lacks the attribute. Null: the tables are not there yet. */
const lackingConditions = async (
  session: MigrationSession,
  { before: type, from }: ConditionalAttribute,
  request: ContentPlanRequest,
): Promise<readonly string[] | null> => {
  const { table } = type.storage.version;
  if (!(await hasColumn(session, table, 'status'))) return null;
  if (from === null) return [];
  if (isLinkAttribute(from)) {
    const links = linkConditions({ type, before: from }, request.before);
    return (await isStored(session, table, links)) ? links.map(({ sql }) => `NOT ${sql}`) : null;
  }
  if (!(await hasColumn(session, table, from.column.name))) return null;
  return [`v.${quoteName(from.column.name)} IS NULL`];
};

const siblingColumn = (index: number): string => `sibling${index}`;

const selectSibling = ({ dialect }: ContentPlanRequest, sibling: KeptScalar): string => {
  const { from, attribute } = sibling;
  if (from === null) return 'NULL';
  const value = convertedSql(sibling, `v.${quoteName(from.attribute.column.name)}`);
  return readable(dialect.migrations.values, attribute.column.kind, value);
};

/** True if the condition holds for the values that a version has after the migration. */
const isShown = ({ condition, siblings }: ConditionalAttribute, row: SessionRow): boolean => {
  const valueOf = (name: string): unknown => {
    const index = siblings.findIndex(({ attribute }) => attribute.name === name);
    const sibling = siblings[index];
    const text = row[siblingColumn(index)];
    if (sibling === undefined) return null;
    return typeof text === 'string'
      ? parseReadable(sibling.attribute.column.kind, text)
      : (sibling.fill?.value ?? null);
  };
  return holdsLogic(condition.rule, (path) => {
    const [name = '', ...keys] = path.split('.');
    return keys.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), valueOf(name));
  });
};

const remedyFor = ({ after, attribute }: ConditionalAttribute): string | null => {
  if (attribute.family === 'scalar') return `--set '${after.uid}.${attribute.name}=…'`;
  return isLinkAttribute(attribute)
    ? `Link one in each first: cms content update ${after.singularName} ID --set ${attribute.name}=…`
    : null;
};

const surveyConditional =
  (conditional: ConditionalAttribute, request: ContentPlanRequest): Survey =>
  async (session) => {
    const { after, attribute, before, from, siblings } = conditional;
    const lacking = await lackingConditions(session, conditional, request);
    if (lacking === null) return [];
    const isChecked = after.draftAndPublish ? [`v."status" = 'published'`] : ['1 = 1'];
    const select = siblings.map(
      (sibling, index) => `${selectSibling(request, sibling)} AS "${siblingColumn(index)}"`,
    );
    let count = 0;
    await readBatches(
      session,
      ['v."status" AS "status"', ...select].join(', '),
      fromVersions({ before, after }, ...lacking, ...isChecked),
      (row) => {
        if (isShown(conditional, row)) count += 1;
      },
    );
    const tally = new Tally(before.uid);
    const path = from?.name ?? attribute.name;
    tally.add({ kind: 'misfit', path, reason: 'must be set', remedy: remedyFor(conditional), count });
    return tally.changes();
  };

/** Counts what lacks a value that its condition requires after the migration. */
export function conditionSurveys(
  changes: readonly ScalarChange[],
  request: ContentPlanRequest,
): readonly Survey[] {
  return findConditional(request, changes).map((conditional) => surveyConditional(conditional, request));
}
