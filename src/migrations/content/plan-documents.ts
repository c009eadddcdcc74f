import type { MigrationSession } from '../../dialects/migration-support.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import { renamedTable } from '../schema/renamed-location.js';
import type { ContentChange, ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import { deleteOtherDocumentsSql, otherDocuments, referrersOf } from './documents/single-type.js';
import {
  selectEditedDrafts,
  selectOtherLocales,
  selectOwnValues,
  selectUnpublishedDrafts,
} from './documents/version-queries.js';
import { findIn, toChanges } from './findings.js';
import type { Told } from './findings.js';
import { isLinkAttribute } from './links/match-links.js';
import type { ModelMatch } from './match-models.js';

type MatchedType = ModelMatch['types'][number];

interface Question {
  readonly told: Told;
  /** Selects what is told, as `version_id` and `sample`. */
  readonly query: string;
}

const dropped = (
  { uid }: Pick<ContentType, 'uid'>,
  path: string | null,
  reason: string,
  remedy: string | null = null,
): Told => ({ kind: 'dropped', type: uid, path, reason, remedy });

const becomesSingle = ({ before, after }: MatchedType): boolean =>
  before.kind === 'collectionType' && after?.kind === 'singleType';

const removedQuestions = ({ before, after }: MatchedType): readonly Question[] =>
  after !== null
    ? []
    : [
        {
          told: dropped(before, null, 'its documents are dropped'),
          query:
            'SELECT "document_id" AS "version_id", "document_id" AS "sample" FROM ' +
            quoteName(before.storage.document.table),
        },
      ];

const singleQuestions = (
  matched: MatchedType,
  { before, match }: ContentPlanRequest,
): readonly Question[] => {
  if (!becomesSingle(matched)) return [];
  const others = otherDocuments(matched.before.storage.document.table);
  const remaining = match.types.filter((other) => other.after !== null && other !== matched);
  const referrers = referrersOf(before, matched.before).filter(({ type }) =>
    remaining.some((other) => other.before.uid === type),
  );
  return [
    {
      told: dropped(matched.before, null, 'a single type has one document, and the first one stays'),
      query: `SELECT "document_id" AS "version_id", "document_id" AS "sample" FROM (${others}) AS d`,
    },
    ...referrers.map(({ type, attribute, table, column, isLinkTable }) => ({
      told: dropped({ uid: type }, attribute, `the linked documents of ${matched.before.uid} are dropped`),
      query: joinClauses(
        `SELECT ${isLinkTable ? '"source_id"' : '"id"'} AS "version_id", ${quoteName(column)} AS "sample"`,
        `FROM ${quoteName(table)} WHERE ${quoteName(column)} IN (${others})`,
      ),
    })),
  ];
};

const draftQuestions = ({ before, after }: MatchedType): readonly Question[] => {
  if (after === null || !before.draftAndPublish || after.draftAndPublish) return [];
  const losesLocales = before.localized && !after.localized;
  return [
    {
      told: dropped(
        before,
        null,
        'without drafts, what was edited since it was published is dropped',
        'Publish the drafts first',
      ),
      query: selectEditedDrafts(before, losesLocales),
    },
    {
      told: dropped(
        before,
        null,
        'without drafts, those that were never published become public',
        'Publish or delete them first',
      ),
      query: selectUnpublishedDrafts(before, losesLocales),
    },
  ];
};

const localeQuestions = ({ before, after }: MatchedType): readonly Question[] =>
  after === null || !before.localized || after.localized
    ? []
    : [
        {
          told: dropped(
            before,
            null,
            'without locales, one version of each document stays and the others are dropped',
          ),
          query: selectOtherLocales(before),
        },
      ];

/** The column whose value all locales share where the attribute is not localised. */
const sharedColumn = (attribute: Attribute | null): string | null => {
  if (attribute === null) return null;
  if (!isLinkAttribute(attribute)) return attribute.column.name;
  return attribute.family === 'media' && attribute.link?.kind === 'column' ? attribute.link.column : null;
};

const sharedQuestions = ({ before, after, attributes }: MatchedType): readonly Question[] => {
  if (after === null || !before.localized || !after.localized) return [];
  return attributes.flatMap(({ before: former, after: attribute }): readonly Question[] => {
    const column = sharedColumn(former);
    if (former === null || column === null || sharedColumn(attribute) === null) return [];
    return former.localized && attribute?.localized === false
      ? [
          {
            told: dropped(
              before,
              former.name,
              'it becomes the same in all locales, whose other values are dropped',
            ),
            query: selectOwnValues(before, column),
          },
        ]
      : [];
  });
};

/** Whether the database has the type's tables, which a migration that is pending may still have to create. */
const isStored = (
  columns: Awaited<ReturnType<MigrationSession['columns']>>,
  { storage }: ContentType,
): boolean => columns.has(storage.version.table) && columns.has(storage.document.table);

const VERSION_KINDS: ReadonlySet<string> = new Set(['draft', 'unpublished', 'locale', 'shared']);

/**
 * Plans what happens to documents as a whole: where their type is removed, made a single type, or loses
 * drafts or locales.
 */
export function planDocuments(request: ContentPlanRequest): ContentPlanPart {
  const { before, match, renames } = request;
  const removed = match.types.filter(({ after }) => after === null);
  const removedTables = removed.flatMap(({ before: { storage } }) =>
    [storage.version.table, storage.document.table].map((table) => renamedTable(table, renames)),
  );
  const versionTables = match.types.map(({ before: { storage } }) =>
    renamedTable(storage.version.table, renames),
  );
  const survey = async (session: MigrationSession): Promise<readonly ContentChange[]> => {
    const columns = await session.columns();
    const changes: ContentChange[] = [];
    for (const matched of match.types) {
      if (!isStored(columns, matched.before)) continue;
      const questions = [
        ...removedQuestions(matched),
        ...singleQuestions(matched, request),
        ...draftQuestions(matched),
        ...localeQuestions(matched),
        ...sharedQuestions(matched),
      ];
      for (const { told, query } of questions) changes.push(...toChanges(told, await findIn(session, query)));
    }
    return changes;
  };
  return {
    statementsBefore: match.types
      .filter(becomesSingle)
      .flatMap((matched) => deleteOtherDocumentsSql(before, matched.before, renames)),
    statementsAfter: [],
    accountedDrops: removedTables.map((table) => ({ table, column: null })),
    isCovered: ({ kind, table }) =>
      (kind === 'table' && removedTables.includes(table)) ||
      (VERSION_KINDS.has(kind) && versionTables.includes(table)),
    surveys: [survey],
  };
}
