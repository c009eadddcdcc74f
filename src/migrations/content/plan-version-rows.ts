import type { MigrationSession } from '../../dialects/migration-support.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { renamedTable } from '../schema/renamed-location.js';
import type { ContentChange, ContentPlanPart, ContentPlanRequest } from './content-plan.js';
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

const sharedQuestions = (
  { before, after, attributes }: MatchedType,
  existingColumns: ReadonlySet<string>,
): readonly Question[] => {
  if (after === null || !before.localized || !after.localized) return [];
  return attributes.flatMap(({ before: former, after: attribute }): readonly Question[] => {
    const column = sharedColumn(former);
    if (former === null || column === null || sharedColumn(attribute) === null) return [];
    // A pending migration may have yet to create the column.
    return existingColumns.has(column) && former.localized && attribute?.localized === false
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

const VERSION_KINDS: ReadonlySet<string> = new Set(['draft', 'unpublished', 'locale', 'shared']);

/**
 * Plans what is told where a type loses drafts or locales, or an attribute becomes shared by all locales. The
 * rows change by the versioning that the tables' comments state.
 */
export function planVersionRows({ match, renames }: ContentPlanRequest): ContentPlanPart {
  const versionTables = match.types.map(({ before: { storage } }) =>
    renamedTable(storage.version.table, renames),
  );
  const survey = async (session: MigrationSession): Promise<readonly ContentChange[]> => {
    const columns = await session.columns();
    const changes: ContentChange[] = [];
    for (const matched of match.types) {
      const existingColumns = columns.get(matched.before.storage.version.table);
      if (existingColumns === undefined) continue;
      const questions = [
        ...draftQuestions(matched),
        ...localeQuestions(matched),
        ...sharedQuestions(matched, existingColumns),
      ];
      for (const { told, query } of questions) changes.push(...toChanges(told, await findIn(session, query)));
    }
    return changes;
  };
  return {
    statementsBefore: [],
    statementsAfter: [],
    accountedDrops: [],
    isCovered: ({ kind, table }) => VERSION_KINDS.has(kind) && versionTables.includes(table),
    surveys: [survey],
  };
}
