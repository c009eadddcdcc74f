import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { ColumnLink, ContentModel, ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import { compileLinkViews } from './link-view.js';
import type { LinkEnd, LinkView } from './link-view.js';

/** The links, seen from their owners, that can point at documents of a type. */
const incomingLinks = (model: ContentModel, target: ContentType): readonly LinkView[] =>
  model.types.flatMap((type) => compileLinkViews(model, type)).filter(({ attribute, ends }) => attribute.side === 'owner' && ends.some(({ type }) => type.uid === target.uid));

const forgetColumn = ({ owner }: LinkView, { column, position }: ColumnLink, documentId: string, locale: string): RawBuilder<unknown> => {
  const cleared = [column, ...(position === null ? [] : [position.column])].map((name) => sql`${sql.id(name)} = null`);
  return sql`update ${sql.id(owner.storage.version.table)} set ${sql.join(cleared)} where ${sql.id(column)} = ${documentId} and locale = ${locale}`;
};

const forgetRows = ({ owner, locales }: LinkView, table: string, end: LinkEnd, documentId: string, locale: string): RawBuilder<unknown> => {
  const here = locales === 'link' ? sql`target_locale = ${locale}` : sql`source_id in (select id from ${sql.id(owner.storage.version.table)} where locale = ${locale})`;
  return sql`delete from ${sql.id(table)} where ${sql.id(end.column)} = ${documentId} and ${here}`;
};

/** Takes away the links to one locale of a document that goes while others stay, so that they do not come back when it is written anew. */
export async function forgetLocale({ model, database }: DocumentContext, tx: Transaction, type: ContentType, documentId: string, locale: string): Promise<void> {
  for (const view of incomingLinks(model, type)) {
    const end = view.ends.find((each) => each.type.uid === type.uid);
    if (end === undefined || view.locales === 'none') continue;
    const { link } = view;
    const statement = link.kind === 'column' ? forgetColumn(view, link, documentId, locale) : forgetRows(view, link.table, end, documentId, locale);
    const compiled = statement.compile(database.dialect.kysely);
    await tx.execute(compiled.sql, compiled.parameters);
  }
}
