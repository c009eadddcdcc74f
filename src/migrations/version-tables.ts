import { parseVersionFacts } from '../prisma-schema/version-facts.js';
import type { LinkFacts, VersionFacts } from '../prisma-schema/version-facts.js';
import type { Rename } from './rename-in-schema.js';
import { parseAttributes, parseBlocks, readMappedName } from './schema-text.js';

/** What the rows of version tables stand for, by table. */
export type VersionTables = ReadonlyMap<string, VersionFacts>;

/** Reads what a schema says of its version tables; tables of which it says nothing are left out. */
export function parseVersionTables(schemaText: string): VersionTables {
  const lines = schemaText.split('\n');
  return new Map(parseBlocks(lines).flatMap(({ name, start, end }) => {
    const inside = lines.slice(start + 1, end);
    const facts = inside.map(parseVersionFacts).find((found) => found !== null);
    const mapped = inside.flatMap(parseAttributes).find((attribute) => attribute.name === '@@map');
    return facts === undefined ? [] : [[readMappedName(mapped) ?? name, facts] as const];
  }));
}

const renameTable = (name: string, renames: readonly Rename[]): string =>
  renames.reduce((now, rename) => (rename.kind === 'table' && rename.from === now ? rename.to : now), name);

const renameColumn = (table: string, name: string, renames: readonly Rename[]): string => {
  let now = { table, name };
  for (const rename of renames) {
    if (rename.kind === 'table' && rename.from === now.table) now = { ...now, table: rename.to };
    if (rename.kind === 'column' && rename.table === now.table && rename.from === now.name) now = { ...now, name: rename.to };
  }
  return now.name;
};

const renameLink = (owner: string, link: LinkFacts, renames: readonly Rename[]): LinkFacts => {
  const table = link.table ?? owner;
  return {
    table: link.table === null ? null : renameTable(link.table, renames),
    columns: link.columns.map((column) => renameColumn(table, column, renames)),
    targets: link.targets.map((target) => renameTable(target, renames)),
    inverse: link.inverse === null ? null : renameColumn(table, link.inverse, renames),
  };
};

/** The same under the names that the renames give. */
export function renameVersionTables(tables: VersionTables, renames: readonly Rename[]): VersionTables {
  if (renames.length === 0) return tables;
  return new Map([...tables].map(([table, facts]) => [renameTable(table, renames), {
    ...facts,
    shared: facts.shared.map((column) => renameColumn(table, column, renames)),
    links: Object.fromEntries(Object.entries(facts.links).map(([name, link]) => [name, renameLink(table, link, renames)])),
  }]));
}
