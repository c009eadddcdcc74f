import { parseVersionMetadata } from '../../prisma-schema/version-metadata.js';
import type { LinkMetadata, VersionMetadata } from '../../prisma-schema/version-metadata.js';
import type { Rename } from './rename-in-schema.js';
import { renamedColumn, renamedTable } from './renamed-location.js';
import { parseAttributes, parseBlocks, readMappedName } from './schema-text.js';

/** The metadata of version tables, by table. */
export type VersionTables = ReadonlyMap<string, VersionMetadata>;

/** Parses the metadata comments of a schema. Tables without one are left out. */
export function parseVersionTables(schemaText: string): VersionTables {
  const lines = schemaText.split('\n');
  return new Map(
    parseBlocks(lines).flatMap(({ name, start, end }) => {
      const bodyLines = lines.slice(start + 1, end);
      const metadata = bodyLines.map(parseVersionMetadata).find((parsed) => parsed !== null);
      const mapped = bodyLines.flatMap(parseAttributes).find((attribute) => attribute.name === '@@map');
      return metadata === undefined ? [] : [[readMappedName(mapped) ?? name, metadata] as const];
    }),
  );
}

const renameLink = (owner: string, link: LinkMetadata, renames: readonly Rename[]): LinkMetadata => {
  const table = link.table ?? owner;
  return {
    table: link.table === null ? null : renamedTable(link.table, renames),
    columns: link.columns.map((column) => renamedColumn(table, column, renames)),
    targets: link.targets.map((target) => renamedTable(target, renames)),
    inverse: link.inverse === null ? null : renamedColumn(table, link.inverse, renames),
  };
};

/** Returns the metadata with all names after the renames. */
export function renameVersionTables(tables: VersionTables, renames: readonly Rename[]): VersionTables {
  if (renames.length === 0) return tables;
  return new Map(
    [...tables].map(([table, metadata]) => [
      renamedTable(table, renames),
      {
        ...metadata,
        shared: metadata.shared.map((column) => renamedColumn(table, column, renames)),
        links: Object.fromEntries(
          Object.entries(metadata.links).map(([name, link]) => [name, renameLink(table, link, renames)]),
        ),
      },
    ]),
  );
}
