import type { MigrationSession } from '../../dialects/migration-support.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { quoteName } from '../migration-dialect.js';
import type { ContentPlanRequest, Survey } from './content-plan.js';
import { strictnessIn } from './json/find-misfit.js';
import { isNewlyRequired } from './json/value-change.js';
import { isStored, linkConditions } from './links/survey-required.js';
import { isLinkAttribute } from './links/match-links.js';
import { conditionValues } from './scalars/row-values.js';
import type { ConditionValues } from './scalars/row-values.js';
import type { ScalarChange } from './scalars/scalar-change.js';
import { fromVersions, hasColumn, readBatches } from './scalars/survey-scalar.js';
import { Tally } from './tally.js';

/** An attribute that its condition requires after the migration, and that need not have been set before. */
interface ConditionalAttribute {
  readonly before: ContentType;
  readonly after: ContentType;
  readonly from: Attribute | null;
  readonly attribute: Attribute;
  readonly beside: ConditionValues;
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
  request: ContentPlanRequest,
  changes: readonly ScalarChange[],
): readonly ConditionalAttribute[] =>
  request.match.types.flatMap(({ before, after, attributes }) =>
    attributes.flatMap(({ before: from, after: attribute }) => {
      if (after === null || attribute?.condition?.isRequired !== true) return [];
      if (!isNewlyRequired(from, attribute) || isList(attribute)) return [];
      if (isFilled(changes, after, attribute.name)) return [];
      const beside = conditionValues(request, changes, after, attribute);
      return [{ before, after, from, attribute, beside }];
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

const remedyFor = ({ after, attribute }: ConditionalAttribute): string | null => {
  if (attribute.family === 'scalar') return `--set '${after.uid}.${attribute.name}=…'`;
  return isLinkAttribute(attribute)
    ? `Link one in each first: cms content update ${after.singularName} ID --set ${attribute.name}=…`
    : null;
};

const surveyConditional =
  (conditional: ConditionalAttribute, request: ContentPlanRequest): Survey =>
  async (session) => {
    const { after, attribute, before, from, beside } = conditional;
    const lacking = await lackingConditions(session, conditional, request);
    if (lacking === null) return [];
    const isChecked = after.draftAndPublish ? [`v."status" = 'published'`] : ['1 = 1'];
    let count = 0;
    await readBatches(
      session,
      ['v."status" AS "status"', ...beside.columns].join(', '),
      fromVersions({ before, after }, ...lacking, ...isChecked),
      (row) => {
        if (strictnessIn(attribute, 'full', beside.parse(row)) === 'full') count += 1;
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
