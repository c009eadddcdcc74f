import { parseDefinitions } from '../../src/model/content-types/parse-definitions.js';
import type { SchemaProblem } from '../../src/model/content-types/definition.js';
import { buildModel } from '../../src/model/build-model.js';
import type { BuiltModel } from '../../src/model/build-model.js';

/** Schema files by path. */
export type Files = Readonly<Record<string, string>>;

/** The text of a content-type's file. Its attributes start at line 12, one per line. */
export function typeText(
  singularName: string,
  attributes: readonly string[],
  options: {
    readonly pluralName?: string;
    readonly collectionName?: string;
    readonly kind?: string;
    readonly options?: string;
    readonly pluginOptions?: string;
  } = {},
): string {
  const pluralName = options.pluralName ?? `${singularName}s`;
  return `{
  "kind": "${options.kind ?? 'collectionType'}",
  "collectionName": "${options.collectionName ?? pluralName}",
  "info": {
    "singularName": "${singularName}",
    "pluralName": "${pluralName}",
    "displayName": "${singularName}"
  },
  "options": ${options.options ?? '{ "draftAndPublish": false }'},
  "pluginOptions": ${options.pluginOptions ?? '{}'},
  "attributes": {
${attributes.map((attribute) => `    ${attribute}`).join(',\n')}
  }
}
`;
}

export function typePath(name: string): string {
  return `src/api/${name}/content-types/${name}/schema.json`;
}

/** The text of a component's file. Its attributes start at line 5, one per line. */
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

/** Prints a problem on one line: `error unknown-type src/api/…:12 title`. */
export function printProblem({ severity, code, file, line, attribute }: SchemaProblem): string {
  return `${severity} ${code} ${file}:${line}${attribute === null ? '' : ` ${attribute}`}`;
}
