import type { ContentType } from '../../model/model.js';
import { findIn, hasColumns, impactOn } from '../impact/data-impact.js';
import type { DataImpact, Inspection } from '../impact/data-impact.js';
import { sharedColumn } from '../plan/plan-versions.js';
import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import {
  selectEditedDrafts,
  selectOtherLocales,
  selectOwnValues,
  selectUnpublishedDrafts,
} from './documents/version-queries.js';
import type { ModelMatch } from './match-models.js';

type MatchedType = ModelMatch['types'][number];

/** Values that are dropped. The query selects them as `version_id` and `sample`. */
interface DroppedValues extends Pick<DataImpact, 'path' | 'reason' | 'remedy'> {
  readonly query: string;
}

const droppedDrafts = (before: ContentType, losesLocales: boolean): readonly DroppedValues[] => [
  {
    path: null,
    reason: 'without drafts, what was edited since it was published is dropped',
    remedy: 'Publish the drafts first',
    query: selectEditedDrafts(before, losesLocales),
  },
  {
    path: null,
    reason: 'without drafts, those that were never published become public',
    remedy: 'Publish or delete them first',
    query: selectUnpublishedDrafts(before, losesLocales),
  },
];

const droppedLocales = (before: ContentType): DroppedValues => ({
  path: null,
  reason: 'without locales, one version of each document stays and the others are dropped',
  remedy: null,
  query: selectOtherLocales(before),
});

const overwrittenValues = ({ before: type, attributes }: MatchedType): readonly DroppedValues[] =>
  attributes.flatMap(({ before, after }) => {
    const column = sharedColumn(before);
    if (before === null || column === null || sharedColumn(after) === null) return [];
    if (!before.localized || after?.localized !== false) return [];
    const reason = 'it becomes the same in all locales, whose other values are dropped';
    return [{ path: before.name, reason, remedy: null, query: selectOwnValues(type, column) }];
  });

const droppedValues = (type: MatchedType): readonly DroppedValues[] => {
  const { before, after } = type;
  if (after === null) return [];
  const losesLocales = before.localized && !after.localized;
  return [
    ...(before.draftAndPublish && !after.draftAndPublish ? droppedDrafts(before, losesLocales) : []),
    ...(losesLocales ? [droppedLocales(before)] : []),
    ...(before.localized && after.localized ? overwrittenValues(type) : []),
  ];
};

const inspectType =
  (matched: MatchedType): Inspection =>
  async (session) => {
    const { uid: type, storage, attributes } = matched.before;
    const impact: DataImpact[] = [];
    for (const { query, ...place } of droppedValues(matched)) {
      // A pending migration may have yet to create the table or the column.
      const column = sharedColumn(attributes[place.path ?? ''] ?? null);
      const columns = column === null ? [] : [column];
      if (await hasColumns(session, storage.version.table, columns))
        impact.push(...impactOn({ kind: 'dropped', type, ...place }, await findIn(session, query)));
    }
    return impact;
  };

/** Counts what is dropped where a type loses drafts or locales, or all locales come to share an attribute. */
export function planVersionRows({ match }: ContentPlanRequest): ContentPlanPart {
  return { inspections: match.types.filter((type) => droppedValues(type).length > 0).map(inspectType) };
}
