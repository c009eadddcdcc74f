/**
 * The folder typegen prints the TypeScript types of a project from the content model, beginning in this
 * file.
 */
import { FILE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import { byCodePoint } from '../../lib/text.js';
import type { ContentSchema, Component, ContentModel, ContentType } from '../../model/model.js';
import { shownFields } from '../../query/schema-fields.js';
import {
  SHARED_DECLARATIONS,
  SHARED_NAMES,
  inputLine,
  nameTypes,
  outputLine,
  propertyName,
} from './print-attributes.js';
import type { SharedTexts, TypeNames, TypeScope } from './print-attributes.js';

/** A generated file. Its path is relative to the project. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const NOTICE =
  '// Written by "cms generate" from the content-types in src/. Changes made here are overwritten.\n';

/** The only one of the files that needs the package. */
export const SERVER_TYPES = 'types/server.d.ts';

const schemaComment = (schema: ContentSchema, rest: string): string => {
  const description =
    schema.description.trim() === ''
      ? ''
      : ` ${schema.description.trim().replaceAll('*/', '* /').replace(/\s+/g, ' ')}`;
  return `/** ${schema.displayName.replaceAll('*/', '* /')}${rest}.${description} */`;
};

const printInterface = (comment: string, name: string, lines: readonly string[]): string =>
  [comment, `export interface ${name} {`, ...lines.map((line) => `  ${line}`), '}', ''].join('\n');

const outputLines = (schema: ContentSchema, scope: TypeScope): readonly string[] =>
  Object.values(schema.attributes).flatMap((attribute) => outputLine(attribute, schema.uid, scope) ?? []);

const inputLines = (schema: ContentSchema, scope: TypeScope): readonly string[] =>
  Object.values(schema.attributes)
    .filter(({ writable }) => writable)
    .map((attribute) => inputLine(attribute, scope));

const documentLines = (type: ContentType, scope: TypeScope): readonly string[] => [
  'id: number;',
  'documentId: string;',
  ...outputLines(type, scope),
  ...Object.values(
    shownFields(type, {
      createdAt: 'createdAt: string;',
      updatedAt: 'updatedAt: string;',
      publishedAt: `publishedAt: string${type.draftAndPublish ? ' | null' : ''};`,
      locale: 'locale: string;',
      localizations: `localizations?: ${scope.document(type.uid)}[];`,
    }),
  ),
];

const printType = (type: ContentType, scope: TypeScope): string =>
  [
    printInterface(
      schemaComment(type, ` (${type.uid})`),
      scope.names.document(type.uid),
      documentLines(type, scope),
    ),
    printInterface(
      '/** The data to create one. Updates and drafts may omit any of it. */',
      scope.names.input(type.uid),
      inputLines(type, scope),
    ),
  ].join('\n');

const printComponent = (component: Component, scope: TypeScope): string =>
  [
    printInterface(schemaComment(component, ` (${component.uid})`), scope.names.component(component.uid), [
      'id: number;',
      ...outputLines(component, scope),
    ]),
    printInterface(
      '/** With the `id` of a stored component, that one is updated in part. */',
      scope.names.input(component.uid),
      ['id?: number;', ...inputLines(component, scope)],
    ),
  ].join('\n');

const printMap = (
  comment: string,
  name: string,
  types: readonly ContentType[],
  key: (type: ContentType) => string,
  names: TypeNames,
): string =>
  printInterface(
    comment,
    name,
    types.map((type) => {
      const entry = `{ document: ${names.document(type.uid)}; input: ${names.input(type.uid)} }`;
      return `${propertyName(key(type))}: ${entry};`;
    }),
  );

const printContentTypes = (model: ContentModel, names: TypeNames): string => {
  const scope: TypeScope = {
    names,
    document: names.document,
    component: (uid) => `components.${names.component(uid)}`,
    componentInput: (uid) => `components.${names.input(uid)}`,
  };
  const projectTypes = model.types.filter((type) => type.origin === 'project');
  return [
    `${NOTICE}import type * as api from './api.js';\nimport type * as components from './components.js';\n`,
    ...model.types.map((type) => printType(type, scope)),
    printMap(
      '/** Collection types by their name in the URL: /api/<name>. */',
      names.collections,
      projectTypes.filter((type) => type.kind === 'collectionType'),
      (type) => type.pluralName,
      names,
    ),
    printMap(
      '/** Single types by their name in the URL: /api/<name>. */',
      names.singleTypes,
      projectTypes.filter((type) => type.kind === 'singleType'),
      (type) => type.singularName,
      names,
    ),
    printMap(
      '/** All types by uid, with those of users, roles and files. */',
      names.contentTypes,
      model.types,
      (type) => type.uid,
      names,
    ),
    printInterface('/** The type parameter of `createClient` of galley/client. */', names.clientSchema, [
      `collections: ${names.collections};`,
      `singleTypes: ${names.singleTypes};`,
      `file: ${names.document(FILE_UID)};`,
      `user: ${names.document(USER_UID)};`,
    ]),
  ].join('\n');
};

const printComponents = (model: ContentModel, names: TypeNames): string => {
  const scope: TypeScope = {
    names,
    document: (uid) => `types.${names.document(uid)}`,
    component: names.component,
    componentInput: names.input,
  };
  const imports = [
    "import type * as api from './api.js';",
    "import type * as types from './content-types.js';",
    '',
  ];
  return [
    NOTICE + imports.join('\n'),
    ...model.components.map((component) => printComponent(component, scope)),
    ...(model.components.length === 0 ? ['export {};\n'] : []),
  ].join('\n');
};

const printIndex = (model: ContentModel): string => {
  const taken = new Set([...model.types, ...model.components].map((schema) => schema.typeName));
  const sharedExports = SHARED_NAMES.map((file) => {
    const available = SHARED_DECLARATIONS[file].filter((name) => !taken.has(name));
    return `export type { ${available.join(', ')} } from './${file}.js';`;
  });
  const exports = [
    "export type * from './content-types.js';",
    "export type * from './components.js';",
    ...sharedExports,
    '',
  ];
  return NOTICE + exports.join('\n');
};

/** Prints the attributes that only server code writes, and that types for front ends therefore lack. */
const unwritableLines = ({ attributes }: ContentType): readonly string[] =>
  Object.values(attributes)
    .filter(({ writable }) => !writable)
    .map(({ name }) => `${propertyName(name)}?: unknown;`);

const printServerEntry = (type: ContentType, names: TypeNames): string => {
  const { uid } = type;
  const document = `types.${names.document(uid)}`;
  const unwritable = unwritableLines(type);
  const added = unwritable.length === 0 ? '' : ` & { ${unwritable.join(' ')} }`;
  const members = [
    `document: ${document};`,
    `input: types.${names.input(uid)}${added};`,
    `query: Query<${document}>;`,
  ];
  return [`    ${JSON.stringify(uid)}: {`, ...members.map((line) => `      ${line}`), '    };'].join('\n');
};

/** Prints the declarations that type `documents(uid)` and `prisma` in the project's server code. */
const printServer = (model: ContentModel, names: TypeNames): string =>
  [
    `${NOTICE}// For the project's server code only, not for a front end.`,
    "import type { PrismaClient } from '../.galley/client/index.js';",
    "import type * as types from './content-types.js';",
    "import type { Query } from './query.js';",
    '',
    "declare module 'galley' {",
    '  interface ContentTypes {',
    ...model.types.map((type) => printServerEntry(type, names)),
    '  }',
    '  interface ProjectTypes {',
    '    prisma: PrismaClient;',
    '  }',
    '}',
    '',
  ].join('\n');

/**
 * Prints the files of a project's types/ folder: documents as the API returns them, inputs, queries, results
 * and envelopes. All but server.d.ts import only each other, so that a front end can copy them. None contains
 * code. They are sorted by path, and depend on the model alone.
 *
 * @example
 *   import type { Article, ListResponse } from '../cms/types/index.js';
 */
export function printTypes(model: ContentModel, shared: SharedTexts): readonly GeneratedFile[] {
  const names = nameTypes(model);
  const files = [
    ...SHARED_NAMES.map((file) => ({ path: `types/${file}.d.ts`, text: `${NOTICE}${shared[file]}` })),
    { path: 'types/components.d.ts', text: printComponents(model, names) },
    { path: 'types/content-types.d.ts', text: printContentTypes(model, names) },
    { path: 'types/index.d.ts', text: printIndex(model) },
    { path: SERVER_TYPES, text: printServer(model, names) },
  ];
  return files.toSorted((left, right) => byCodePoint(left.path, right.path));
}
