import { defined } from '../../lib/defined.js';
import type { LinkMetadata, VersionMetadata } from '../../prisma-schema/version-metadata.js';
import type { LinkMigration, LinkSource, LinkStorage, VersionTable } from '../content/links/link-storage.js';
import type { MovedLinkLocation } from '../files/migration-header.js';
import { quoteName } from '../migration-dialect.js';
import type { VersionTables } from '../schema/version-tables.js';

/** A link whose storage or rows change, because its owner or a target gains or loses drafts or locales. */
export interface VersionedLinkMigration extends LinkMigration {
  /** The owner's version table. */
  readonly table: string;
  readonly linkBefore: LinkMetadata;
  readonly linkAfter: LinkMetadata;
}

const versionTable = (table: string, { drafts, locales }: VersionMetadata): VersionTable => ({
  table,
  drafts,
  locales,
});

const storageOf = (
  tables: VersionTables,
  table: string,
  owner: VersionMetadata,
  link: LinkMetadata,
): LinkStorage => {
  const target =
    link.table !== null && link.targets.length === 1 && link.columns[0] === 'target_document_id'
      ? tables.get(defined(link.targets[0], 'The target of a link'))
      : undefined;
  return {
    owner: versionTable(table, owner),
    table: link.table,
    inverse: link.inverse,
    hasTargetStatus: target !== undefined && target.drafts && !owner.drafts,
    hasTargetLocale: target !== undefined && target.locales && !owner.locales,
  };
};

const haveSameVersioning = (left: VersionMetadata | undefined, right: VersionMetadata | undefined): boolean =>
  left?.drafts === right?.drafts && left?.locales === right?.locales;

/** The target columns that exist both before and after. */
const commonSources = (
  tables: VersionTables,
  storage: LinkStorage,
  before: LinkMetadata,
  after: LinkMetadata,
): readonly LinkSource[] =>
  before.targets.flatMap((table, index) => {
    const [column, to] = [before.columns[index], after.columns[after.targets.indexOf(table)]];
    const metadata = tables.get(table);
    return column === undefined || to === undefined || metadata === undefined
      ? []
      : [{ storage, column, target: versionTable(table, metadata), isReversed: false, to }];
  });

/** Finds the links that have to be moved. Links that stay in columns of their owner need no move. */
export function planLinkMigrations(
  before: VersionTables,
  after: VersionTables,
): readonly VersionedLinkMigration[] {
  return [...after].flatMap(([table, owner]) => {
    const ownerBefore = before.get(table);
    if (ownerBefore === undefined) return [];
    return Object.entries(owner.links).flatMap(([name, link]): readonly VersionedLinkMigration[] => {
      const linkBefore = ownerBefore.links[name];
      if (linkBefore === undefined || (linkBefore.table === null && link.table === null)) return [];
      const storage = storageOf(before, table, ownerBefore, linkBefore);
      const sources = commonSources(before, storage, linkBefore, link);
      const isSame =
        haveSameVersioning(ownerBefore, owner) &&
        linkBefore.targets.every((target) => haveSameVersioning(before.get(target), after.get(target)));
      if (isSame || sources.length === 0) return [];
      const newStorage = {
        ...storageOf(after, table, owner, link),
        columns: link.columns,
        isSingle: link.table === null,
        isExclusive: false,
      };
      return [{ table, linkBefore, linkAfter: link, after: newStorage, sources }];
    });
  });
}

/** Statements that empty the link tables whose rows are saved. */
export function clearLinksSql(linkMigrations: readonly VersionedLinkMigration[]): readonly string[] {
  return linkMigrations.flatMap(({ linkBefore: { table } }) =>
    table === null ? [] : [`DELETE FROM ${quoteName(table)};`],
  );
}

/** The tables and columns that the migration drops without losing their links. */
export function movedLinkLocations(
  linkMigrations: readonly VersionedLinkMigration[],
): readonly MovedLinkLocation[] {
  return linkMigrations.flatMap(({ table, linkBefore: link }): readonly MovedLinkLocation[] => {
    if (link.table !== null) return [{ table: link.table, column: null }];
    return [...link.columns, ...(link.inverse === null ? [] : [link.inverse])].map((column) => ({
      table,
      column,
    }));
  });
}
