import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ContentType } from '../../model/model.js';
import type { LinkRef } from '../../validation/input.js';
import type { Probe } from '../probe.js';
import { primaryRow, publishedRow } from '../write-scope.js';
import type { WriteScope } from '../write-scope.js';
import { hasInverseOrder, isShared, soleEnd } from './link-view.js';
import type { LinkView } from './link-view.js';
import { isAppending } from './link-work.js';
import type { LinkWork } from './link-work.js';
import { askEntries, askEntriesOfRows, entrySource } from './probe-entries.js';
import { linkedRefs, namedRefs } from './resolve-links.js';
import { namesOneOf } from './target-book.js';

type Condition = RawBuilder<unknown>;

const linkTable = ({ link, owner }: LinkView): string => (link.kind === 'column' ? owner.storage.version.table : link.table);

const and = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`;

/**
 * The last place in each target's list, for what is appended there. Asked for target by target, so that an index answers it: grouping would go
 * through the whole list.
 */
const askLastInverse = (probe: Probe, work: LinkWork, refs: readonly LinkRef[]): void => {
  const { view } = work;
  const { link } = view;
  if (!hasInverseOrder(link) || refs.length === 0) return;
  const { type, column } = soleEnd(view);
  const target = sql`t.document_id`;
  const position = sql.id(link.kind === 'column' ? (link.position?.column ?? '') : 'inverse_position');
  probe.add({
    select: { text1: target, number1: sql`(select max(${position}) from ${sql.id(linkTable(view))} where ${sql.id(column)} = ${target})` },
    from: sql`${sql.id(type.storage.anchor.table)} as t where ${namesOneOf(probe, type, target, refs)}`,
    onRow: ({ text1, number1 }) => {
      work.lastInverse.set(text1 ?? '', number1 ?? 0);
    },
  });
};

/** Version rows whose links matter: the written ones, and for what all locales share those of the others. */
const ownRowIds = (scope: WriteScope, view: LinkView): readonly number[] =>
  scope.rows.filter(({ locale }) => isShared(view) || locale === scope.locale).map(({ id }) => id);

/** Documents that the written versions point at by a column already, and that publishing takes from their former owners. */
const currentTargets = (scope: WriteScope, { link }: LinkView): readonly Pick<LinkRef, 'documentId' | 'id'>[] =>
  [primaryRow(scope), publishedRow(scope)].flatMap((row) => {
    const documentId = link.kind === 'column' ? row?.values[link.field] : undefined;
    return typeof documentId === 'string' ? [{ documentId, id: null }] : [];
  });

/** Targets that are linked now or will be; the document's present links in a table are looked up on the way. */
const exclusiveTargets = (probe: Probe, scope: WriteScope, view: LinkView, refs: readonly LinkRef[]): Condition => {
  const { dialect } = probe;
  const { target } = entrySource(view);
  const { type, column } = soleEnd(view);
  const named = namesOneOf(probe, type, target, [...refs, ...currentTargets(scope, view)]);
  if (view.link.kind === 'column') return named;
  const own = dialect.among(sql`source_id`, 'integer', dialect.encodeList('integer', ownRowIds(scope, view)));
  return sql`(${named} or ${target} in (select ${sql.id(column)} from ${sql.id(linkTable(view))} where ${own}))`;
};

const askRivalOwners = (probe: Probe, scope: WriteScope, work: LinkWork, refs: readonly LinkRef[]): void => {
  const { view } = work;
  if (!view.link.exclusive) return;
  const conditions = [exclusiveTargets(probe, scope, view, refs), sql`${entrySource(view).sourceDocumentId} <> ${scope.documentId}`, sql`s.locale = ${scope.locale}`];
  askEntries(probe, view, and(conditions), (entry) => work.rivals.push(entry));
};

const askOwnerSide = (probe: Probe, scope: WriteScope, work: LinkWork): void => {
  const refs = work.operation === null ? [] : linkedRefs(work.operation);
  askLastInverse(probe, work, refs);
  askEntriesOfRows(probe, work.view, ownRowIds(scope, work.view), (entry) => work.entries.push(entry));
  askRivalOwners(probe, scope, work, refs);
};

/** Those of the links pointing here that the written version's locale concerns. */
const hereConditions = (scope: WriteScope, view: LinkView): readonly Condition[] => {
  const here = sql`${entrySource(view).target} = ${scope.documentId}`;
  if (!view.self.localized || view.locales === 'none') return [here];
  return [here, view.locales === 'owner' ? sql`s.locale = ${scope.locale}` : sql`l.target_locale = ${scope.locale}`];
};

const askLastHere = (probe: Probe, scope: WriteScope, work: LinkWork): void => {
  const { view } = work;
  if (!hasInverseOrder(view.link)) return;
  const position = view.link.kind === 'column' ? sql`s.${sql.id(view.link.position?.column ?? '')}` : sql`l.inverse_position`;
  const places = sql`select ${position} as place from ${entrySource(view).tables} where ${and([...hereConditions(scope, view), sql`${position} is not null`])}`;
  probe.add({
    select: { number1: sql`place` },
    from: sql`(${places} order by ${position} desc limit 1) as last_place`,
    onRow: ({ number1 }) => {
      work.lastHere = number1 ?? 0;
    },
  });
};

/** Version rows of the documents that are to link here. */
const ownersNamed = (probe: Probe, owner: ContentType, refs: readonly LinkRef[]): Condition =>
  sql`(select id from ${sql.id(owner.storage.version.table)} where ${namesOneOf(probe, owner, sql`document_id`, refs)})`;

const askOwnersLists = (probe: Probe, work: LinkWork, refs: readonly LinkRef[]): void => {
  const { view } = work;
  if (view.link.kind === 'column' || refs.length === 0) return;
  const owners = ownersNamed(probe, view.owner, refs);
  if (!view.link.ownerMany) {
    askEntries(probe, view, sql`l.source_id in ${owners}`, (entry) => work.rivals.push(entry));
    return;
  }
  probe.add({
    select: { number1: sql`source_id`, number2: sql`max(position)` },
    from: sql`${sql.id(linkTable(view))} where source_id in ${owners} group by source_id`,
    onRow: ({ number1, number2 }) => {
      work.lastOwn.set(number1 ?? 0, number2 ?? 0);
    },
  });
};

const askInverseSide = (probe: Probe, scope: WriteScope, work: LinkWork): void => {
  const { view, operation } = work;
  if (operation === null) return;
  const conditions = [...hereConditions(scope, view)];
  if (isAppending(work)) {
    conditions.push(namesOneOf(probe, view.owner, entrySource(view).sourceDocumentId, namedRefs(operation)));
    askLastHere(probe, scope, work);
  }
  askEntries(probe, view, and(conditions), (entry) => work.entries.push(entry));
  askOwnersLists(probe, work, linkedRefs(operation));
};

/** Adds to the probe all that has to be known to change one attribute's links. */
export function askLinks(probe: Probe, scope: WriteScope, work: LinkWork): void {
  work.entries.length = 0;
  work.rivals.length = 0;
  if (work.view.attribute.side === 'owner') askOwnerSide(probe, scope, work);
  else askInverseSide(probe, scope, work);
}
