import { parseDefinitions } from '../../src/content-types/parse.js';
import type { SchemaProblem } from '../../src/content-types/definition.js';
import { buildModel } from '../../src/model/build-model.js';
import type { BuiltModel } from '../../src/model/build-model.js';

/** Schema files by path. */
export type Files = Readonly<Record<string, string>>;

/** First line of the attributes in a file that {@link typeText} prints. */
export const FIRST_ATTRIBUTE_LINE = 12;

/** A content-type's file whose attributes, a line each, start at line 12. */
export function typeText(singularName: string, attributes: readonly string[], head: { readonly pluralName?: string; readonly collectionName?: string; readonly kind?: string; readonly options?: string; readonly pluginOptions?: string } = {}): string {
  const pluralName = head.pluralName ?? `${singularName}s`;
  return `{
  "kind": "${head.kind ?? 'collectionType'}",
  "collectionName": "${head.collectionName ?? pluralName}",
  "info": {
    "singularName": "${singularName}",
    "pluralName": "${pluralName}",
    "displayName": "${singularName}"
  },
  "options": ${head.options ?? '{ "draftAndPublish": false }'},
  "pluginOptions": ${head.pluginOptions ?? '{}'},
  "attributes": {
${attributes.map((attribute) => `    ${attribute}`).join(',\n')}
  }
}
`;
}

export function typePath(name: string): string {
  return `src/api/${name}/content-types/${name}/schema.json`;
}

/** A component's file whose attributes, a line each, start at line 5. */
export function componentText(attributes: readonly string[]): string {
  return `{
  "collectionName": "components_x",
  "info": { "displayName": "x" },
  "attributes": {
${attributes.map((attribute) => `    ${attribute}`).join(',\n')}
  }
}
`;
}

export function buildFiles(files: Files): BuiltModel {
  return buildModel(parseDefinitions(Object.entries(files).map(([path, text]) => ({ path, text }))));
}

/** A problem in one line: `error unknown-type src/api/…:12 title`. */
export function printProblem({ severity, code, file, line, attribute }: SchemaProblem): string {
  return `${severity} ${code} ${file}:${line}${attribute === null ? '' : ` ${attribute}`}`;
}
