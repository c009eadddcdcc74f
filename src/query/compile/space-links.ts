import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { defined } from '../../lib/assert.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Link } from '../../model/model.js';

/** The end of a link that has the list: the owner, or the inverse side. */
export type ListSide = 'owner' | 'inverse';

type Fragment = RawBuilder<unknown>;

const targetOf = (link: Link): Fragment => {
  if (link.kind === 'column') return sql.id('s', link.column);
  if (link.kind === 'table') return sql.id('l', 'target_document_id');
  const [first = sql`null`, ...others] = link.targets.map(({ column }) => sql.id('l', column));
  return others.length === 0 ? first : sql`coalesce(${sql.join([first, ...others])})`;
};

const positionName = (link: Link, side: ListSide): string => {
  if (link.kind === 'column') return defined(link.position, 'The position of a link').column;
  return side === 'owner' ? 'position' : 'inverse_position';
};

/**
 * Returns the statement that renumbers the positions in lists of links. Lists of drafts count from 1. A link
 * of a published version gets its position in the draft, or one in between if the lists have different
 * orders. Links that are published later then get their position.
 *
 * @param documentId the document whose list it is, in all versions. Null: all lists
 */
export function spaceLinks(
  model: ContentModel,
  link: Link,
  side: ListSide,
  documentId: string | null,
): Fragment {
  const type = typeOf(model, link.owner);
  const versions = sql.id(type.storage.version.table);
  const table = link.kind === 'column' ? versions : sql.id(link.table);
  const row = link.kind === 'column' ? 's' : 'l';
  const position = positionName(link, side);
  const ends = [sql`s.document_id`, targetOf(link)] as const;
  const [list, other] = side === 'owner' ? ends : ends.toReversed();
  const hasTargetStatus = link.kind === 'table' && link.hasTargetStatus;
  const status = hasTargetStatus ? sql`l.target_status` : sql`s.status`;
  const isEdited =
    type.draftAndPublish || hasTargetStatus ? sql`case when ${status} = 'draft' then 1 else 0 end` : sql`1`;
  const targetLocale = link.kind === 'table' && link.hasTargetLocale ? sql`l.target_locale` : sql`''`;
  const from =
    link.kind === 'column'
      ? sql`${versions} as s`
      : sql`${table} as l join ${versions} as s on s.id = l.source_id`;
  const condition = documentId === null ? sql`${list} is not null` : sql`${list} = ${documentId}`;
  return sql`with links as (
      select ${sql.id(row, 'id')} as id, ${list} as list, ${isEdited} as edited,
        ${other} || ' ' || s.locale || ' ' || ${targetLocale} as item,
        coalesce(${sql.id(row, position)}, 0) as position
      from ${from} where ${condition}),
    ranks as (
      select list, item, row_number() over (partition by list order by position, id) as place
      from links where edited = 1),
    places as (
      select k.id, k.list, k.edited, k.position,
        max(r.place) over (partition by k.list, k.edited order by k.position, k.id) as place
      from links as k left join ranks as r on r.list = k.list and r.item = k.item),
    spaced as (
      select id, coalesce(place, 0) + (row_number() over (
          partition by list, edited, place order by position, id) - 1.0)
        / count(*) over (partition by list, edited, place) as position
      from places)
    update ${table} set ${sql.id(position)} = spaced.position from spaced where ${table}.id = spaced.id`;
}

/** Returns the statements that do the same for all lists of a link. */
export function spaceAllLinks(model: ContentModel, link: Link): readonly Fragment[] {
  const isInverseOrdered =
    (link.kind === 'column' && link.position !== null) || (link.kind === 'table' && link.hasInversePosition);
  const sides: readonly ListSide[] = [
    ...(link.kind === 'column' ? [] : (['owner'] as const)),
    ...(isInverseOrdered ? (['inverse'] as const) : []),
  ];
  return sides.map((side) => spaceLinks(model, link, side, null));
}
