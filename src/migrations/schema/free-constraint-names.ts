import { joinClauses, quoteName } from '../migration-dialect.js';
import { readModels } from './rename-in-schema.js';
import type { RenamedSchema } from './rename-in-schema.js';
import { hasMapArgument, parseAttributes, readFieldList, replaceAttribute } from './schema-text.js';
import type { Attribute } from './schema-text.js';

/** An index or key that the schema names. */
interface NamedConstraint {
  readonly name: string;
  readonly kind: 'index' | 'key';
  readonly table: string;
  /** Identity of the constraint for comparison: its attribute, table and columns. */
  readonly subject: string;
  readonly line: number;
  readonly attribute: Attribute;
}

const KINDS: Readonly<Record<string, NamedConstraint['kind']>> = {
  '@@unique': 'index',
  '@@index': 'index',
  '@relation': 'key',
  '@id': 'key',
};

const MAP_ARGUMENT = /\bmap\s*:\s*"([^"\\]+)"/;

const readConstraints = (lines: readonly string[]): readonly NamedConstraint[] =>
  readModels(lines).flatMap(({ block, table, fields }) =>
    lines.slice(block.start + 1, block.end).flatMap((text, offset) =>
      parseAttributes(text).flatMap((attribute): readonly NamedConstraint[] => {
        const kind = KINDS[attribute.name];
        const [, name] = (hasMapArgument(attribute) && MAP_ARGUMENT.exec(attribute.args ?? '')) || [];
        if (kind === undefined || name === undefined) return [];
        const columns = readFieldList(attribute).map(
          (field) => fields.find((candidate) => candidate.name === field)?.column ?? field,
        );
        const subject = JSON.stringify([attribute.name, table, columns]);
        return [{ name, kind, table, subject, line: block.start + 1 + offset, attribute }];
      }),
    ),
  );

/**
 * Frees the names of indexes and keys that the next schema gives to others, as where columns or tables swap
 * names. Such an index is dropped, to be created again; such a key gets a name of its own meanwhile.
 */
export function freeConstraintNames(schemaText: string, nextSchema: string): RenamedSchema {
  const lines = schemaText.split('\n');
  const next = new Map(readConstraints(nextSchema.split('\n')).map(({ name, subject }) => [name, subject]));
  const taken = readConstraints(lines).filter(({ name, subject }) => (next.get(name) ?? subject) !== subject);
  const sql = taken.map(({ name, kind, table, line, attribute }): string => {
    const text = lines[line] ?? '';
    if (kind === 'index') {
      lines[line] = '';
      return `DROP INDEX ${quoteName(name)};`;
    }
    const freed = `${name}_`;
    const args = (attribute.args ?? '').replace(MAP_ARGUMENT, `map: ${JSON.stringify(freed)}`);
    lines[line] = replaceAttribute(text, attribute, `${attribute.name}(${args})`);
    return joinClauses(
      `ALTER TABLE ${quoteName(table)}`,
      `RENAME CONSTRAINT ${quoteName(name)} TO ${quoteName(freed)};`,
    );
  });
  return { text: lines.join('\n'), sql };
}
