import type { MigrationSession } from '../../../database/dialect/migration-support.js';
import { defined } from '../../../lib/assert.js';
import type { ContentModel, Uid } from '../../../model/model.js';
import { ImpactCounter, findIn, impactOn } from '../../impact/data-impact.js';
import type { Finding, UncountedImpact, Inspection } from '../../impact/data-impact.js';
import { joinClauses, quoteName } from '../../../database/dialect/sql-text.js';
import { DEFAULT_LOCALE, isPublished, remainingLocale } from '../../plan/version-sql.js';
import { isSingle, sourceOf, versionTableOf } from './classify-links.js';
import type { ClassifiedLinks, LinkSource, LostLink, MovedLink, VersionTable } from './classify-links.js';
import { selectLinks, selectPlaces } from './link-sql.js';
import { isLinkAttribute } from './match-links.js';
import type { LinkOrigin, MatchedLink, OwnedLink } from './match-links.js';

/**
 * Returns SQL that selects the versions of a type after the migration from the table before it. New drafts
 * have negative ids.
 */
function selectVersionsAfter(before: VersionTable, after: VersionTable): string {
  const table = quoteName(before.table);
  const losesLocales = before.locales && !after.locales;
  const losesDrafts = before.drafts && !after.drafts;
  const addedLocale = `CASE WHEN m."locale" = '' THEN ${DEFAULT_LOCALE} ELSE m."locale" END`;
  const locale = losesLocales ? `''` : !before.locales && after.locales ? addedLocale : 'm."locale"';
  const conditions = [
    ...(losesLocales ? [`m."locale" = ${remainingLocale(before.table, 'm."document_id"')}`] : []),
    ...(losesDrafts
      ? [
          joinClauses(
            `(m."status" = 'published'`,
            `OR NOT ${isPublished(before.table, 'm."document_id"', 'm."locale"')})`,
          ),
        ]
      : []),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const select = (id: string, status: string): string =>
    joinClauses(
      `SELECT ${id} AS "id", m."document_id", ${locale} AS "locale", ${status} AS "status"`,
      `FROM ${table} AS m ${where}`,
    );
  const rows = select('m."id"', losesDrafts ? `'published'` : 'm."status"');
  return !before.drafts && after.drafts ? `(${rows} UNION ALL ${select('-m."id"', `'draft'`)})` : `(${rows})`;
}

const findLinks = (session: MigrationSession, source: LinkSource): Promise<Finding> => {
  const sample = source.isReversed ? 'document_id' : 'target_id';
  return findIn(
    session,
    `SELECT k."version_id", k.${quoteName(sample)} AS "sample" FROM (${selectLinks([source])}) AS k`,
  );
};

/** Finds the links of one source that their new storage cannot hold, while their version stays. */
const findRejected = (
  session: MigrationSession,
  { before: model, counterparts }: LinkInspectionPlan,
  { sourcesBefore, migration, after }: MovedLink,
  index: number,
): Promise<Finding> => {
  const source = defined(sourcesBefore[index], 'The source of a link');
  const typeBefore = defined(counterparts.typeBefore(after.owner.uid), 'The owner of a link');
  const formerOwner = model.types.find(({ storage }) => storage.version.table === source.storage.owner.table);
  const formerOwnerAfter = formerOwner === undefined ? null : counterparts.typeAfter(formerOwner.uid);
  const versions = selectVersionsAfter(versionTableOf(typeBefore), migration.after.owner);
  const withClause = joinClauses(
    `WITH "links" AS (${selectLinks(sourcesBefore)}),`,
    `"places" AS (${selectPlaces(migration.after, '"links"', versions)}),`,
    `"fates" AS (SELECT "source", "row_id", min("is_kept") AS "is_kept" FROM "places"`,
    `GROUP BY "source", "row_id"),`,
    `"pairs" AS (SELECT DISTINCT "document_id", "target_column", "target_id" FROM "places")`,
  );
  const conditions = [
    `k."source" = ${index}`,
    ...(source.storage.owner.drafts && formerOwnerAfter?.draftAndPublish === false
      ? ['k."main_status" = 1']
      : []),
    ...(source.storage.owner.locales && formerOwnerAfter?.localized === false ? ['k."main_locale" = 1'] : []),
    `(f."is_kept" = 0 OR (f."source" IS NULL AND p."document_id" IS NULL))`,
  ];
  const sample = source.isReversed ? 'document_id' : 'target_id';
  const query = joinClauses(
    `SELECT k."version_id", k.${quoteName(sample)} AS "sample" FROM "links" AS k`,
    `LEFT JOIN "fates" AS f ON f."source" = k."source" AND f."row_id" = k."row_id"`,
    `LEFT JOIN "pairs" AS p ON p."document_id" = k."document_id" AND p."target_id" = k."target_id"`,
    `AND p."target_column" = k."target_column" WHERE ${conditions.join(' AND ')}`,
  );
  return findIn(session, query, withClause);
};

interface LinkInspectionPlan extends ClassifiedLinks {
  readonly before: ContentModel;
}

interface Location {
  readonly type: Uid;
  readonly path: string;
}

/** Returns the attribute to report a link at: that of its owner, or else that of the other end. */
const locate = (
  { counterparts }: LinkInspectionPlan,
  { owner, attribute }: OwnedLink,
  { uid, inverseAttribute }: LinkOrigin['target'],
): Location | null => {
  if (counterparts.typeAfter(owner.uid) !== null) return { type: owner.uid, path: attribute.name };
  return counterparts.typeAfter(uid) !== null && inverseAttribute !== null
    ? { type: uid, path: inverseAttribute }
    : null;
};

const lossReason = (
  { counterparts }: LinkInspectionPlan,
  { type, path }: Location,
  { before, target }: LostLink,
): string => {
  const otherEnd = type === before.owner.uid ? target.uid : before.owner.uid;
  if (counterparts.typeAfter(otherEnd) === null) return `the links go with ${otherEnd}, which is removed`;
  const attribute = counterparts.attributeAfter(type, path);
  if (attribute === null) return 'the attribute is removed';
  return isLinkAttribute(attribute)
    ? `the attribute no longer points to ${otherEnd}`
    : `links cannot become values of type ${attribute.type}`;
};

const narrowingReason = (before: OwnedLink, after: OwnedLink): string => {
  if (isSingle(after.link) && !isSingle(before.link)) return 'only the first link of a list stays';
  return after.link.exclusive
    ? 'a document may be linked once only, and its first link stays'
    : 'no version of the document that would own the link has it';
};

const NARROWING_REMEDY = 'Remove the surplus links first, or leave the relation as it is';

/** True if the links can be read. A pending migration may still have to create their table. */
const isStored = (
  columns: Awaited<ReturnType<MigrationSession['columns']>>,
  { storage, column, target }: LinkSource,
): boolean =>
  columns.get(storage.table ?? storage.owner.table)?.has(column) === true &&
  columns.has(storage.owner.table) &&
  columns.has(target.table);

/** Returns the ends of links that become lists or are renamed. */
const changedEnds = (
  { counterparts }: LinkInspectionPlan,
  { after }: MatchedLink,
  { before, target }: LinkOrigin,
): readonly UncountedImpact[] => {
  const ends = [
    { type: before.owner, name: before.attribute.name },
    {
      type: counterparts.typeBefore(counterparts.typeAfter(target.uid)?.uid ?? ''),
      name: target.inverseAttribute,
    },
  ];
  return ends.flatMap(({ type, name }): readonly UncountedImpact[] => {
    const attributeBefore = type === null || name === null ? undefined : type.attributes[name];
    if (type === null || attributeBefore === undefined || !isLinkAttribute(attributeBefore)) return [];
    const attribute = counterparts.attributeAfter(type.uid, attributeBefore.name);
    if (!isLinkAttribute(attribute)) return [];
    const { owner, ownerAttribute } = attribute.link ?? {};
    if (owner !== after.owner.uid || ownerAttribute !== after.attribute.name) return [];
    const location = { type: type.uid, path: attributeBefore.name, remedy: null };
    if (!attributeBefore.many && attribute.many)
      return [{ ...location, kind: 'converted', reason: 'each link becomes a list of one' }];
    return attribute.name === attributeBefore.name
      ? []
      : [{ ...location, kind: 'moved', reason: `the attribute is named ${attribute.name}` }];
  });
};

/** Counts the links that are dropped, moved or converted. */
export function inspectLinks(plan: LinkInspectionPlan): Inspection {
  const { before: model, kept, moved, lost } = plan;
  return async (session) => {
    const columns = await session.columns();
    // Several targets of one attribute share a count.
    const counter = new ImpactCounter();
    for (const loss of lost) {
      const location = locate(plan, loss.before, loss.target);
      const source = sourceOf(model, { ...loss, isReversed: false, to: loss.target.column });
      if (location === null || !isStored(columns, source)) continue;
      const reason = lossReason(plan, location, loss);
      const place = { ...location, kind: 'dropped', reason, remedy: null } as const;
      counter.merge(impactOn(place, await findLinks(session, source)));
    }
    for (const link of [...kept, ...moved]) {
      const stored = link.origins.map((origin) => isStored(columns, sourceOf(model, origin)));
      if (!stored.every(Boolean)) continue;
      for (const [index, origin] of link.origins.entries()) {
        const ends = changedEnds(plan, link, origin);
        const rejected =
          'migration' in link ? await findRejected(session, plan, link, index) : { values: 0, samples: [] };
        const location = locate(plan, origin.before, origin.target);
        const reason = narrowingReason(origin.before, link.after);
        if (location !== null)
          counter.merge(
            impactOn({ ...location, kind: 'dropped', reason, remedy: NARROWING_REMEDY }, rejected),
          );
        if (ends.length === 0) continue;
        const all = await findLinks(session, sourceOf(model, origin));
        for (const place of ends)
          counter.merge(impactOn(place, { ...all, values: all.values - rejected.values }));
      }
    }
    return counter.impact();
  };
}
