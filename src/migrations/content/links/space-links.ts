import type { ContentModel, Link } from '../../../model/model.js';
import { typeOf } from '../../../model/lookup.js';
import { spaceAllLinks } from '../../../query/compile/space-links.js';
import type { MigrationDialect } from '../../migration-dialect.js';
import type { Tables } from '../../schema/schema-tables.js';
import { ownedLinks } from './match-links.js';

/**
 * Statements that give the links of drafts and published versions positions that can be compared, one for
 * each list. Links without versions need none.
 */
export function spaceLinksSql(
  model: ContentModel,
  link: Link,
  { expressions }: MigrationDialect,
): readonly string[] {
  const hasStatus =
    typeOf(model, link.owner).draftAndPublish || (link.kind === 'table' && link.hasTargetStatus);
  if (!hasStatus) return [];
  return spaceAllLinks(model, link).map((statement) => `${statement.compile(expressions.kysely).sql};`);
}

/** The same for links that had whole numbers as positions, which each version counted for itself. */
export function spaceCountedLinksSql(
  model: ContentModel,
  previous: Tables,
  dialect: MigrationDialect,
): readonly string[] {
  return ownedLinks(model).flatMap(({ link, owner }) => {
    const table = link.kind === 'column' ? owner.storage.version.table : link.table;
    const position = link.kind === 'column' ? link.position?.column : 'position';
    const isCounted = previous.get(table)?.columns.get(position ?? '')?.type === 'Int';
    return isCounted ? spaceLinksSql(model, link, dialect) : [];
  });
}
