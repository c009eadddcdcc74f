import type { AttributeHolder, Component, ContentModel, ContentType } from '../model/model.js';
import { API_TYPES, API_TYPE_NAMES } from './api-types.js';
import { inputLine, outputLine, propertyName } from './attribute-types.js';
import type { TypeScope } from './attribute-types.js';
import { nameTypes } from './type-names.js';
import type { TypeNames } from './type-names.js';

/** A generated file, by its path relative to the project. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const NOTICE = '// Written by "cms generate" from the content-types in src/. Changes made here are overwritten.\n';

const comment = (holder: AttributeHolder, rest: string): string => {
  const description = holder.description.trim() === '' ? '' : ` ${holder.description.trim().replaceAll('*/', '* /').replace(/\s+/g, ' ')}`;
  return `/** ${holder.displayName.replaceAll('*/', '* /')}${rest}.${description} */`;
};

const printInterface = (lead: string, name: string, lines: readonly string[]): string =>
  [lead, `export interface ${name} {`, ...lines.map((line) => `  ${line}`), '}', ''].join('\n');

const outputLines = (holder: AttributeHolder, scope: TypeScope): readonly string[] =>
  Object.values(holder.attributes).flatMap((attribute) => outputLine(attribute, scope) ?? []);

const inputLines = (holder: AttributeHolder, scope: TypeScope): readonly string[] =>
  Object.values(holder.attributes).map((attribute) => inputLine(attribute, scope));

const documentLines = (type: ContentType, scope: TypeScope): readonly string[] => [
  'id: number;',
  'documentId: string;',
  ...outputLines(type, scope),
  'createdAt: string;',
  'updatedAt: string;',
  `publishedAt: string${type.draftAndPublish ? ' | null' : ''};`,
  ...(type.localized ? ['locale: string;', `localizations?: ${scope.document(type.uid)}[];`] : []),
];

const printType = (type: ContentType, scope: TypeScope): string =>
  [
    printInterface(comment(type, ` (${type.uid})`), scope.names.document(type.uid), documentLines(type, scope)),
    printInterface(`/** The data that creates one; updates and drafts take any part of it. */`, scope.names.input(type.uid), inputLines(type, scope)),
  ].join('\n');

const printComponent = (component: Component, scope: TypeScope): string =>
  [
    printInterface(comment(component, ` (${component.uid})`), scope.names.component(component.uid), ['id: number;', ...outputLines(component, scope)]),
    printInterface('/** With the `id` of a stored one, that one is changed in part. */', scope.names.input(component.uid), ['id?: number;', ...inputLines(component, scope)]),
  ].join('\n');

const printMap = (lead: string, name: string, types: readonly ContentType[], key: (type: ContentType) => string, names: TypeNames): string =>
  printInterface(lead, name, types.map((type) => `${propertyName(key(type))}: { document: ${names.document(type.uid)}; input: ${names.input(type.uid)} };`));

const contentTypesText = (model: ContentModel, names: TypeNames): string => {
  const scope: TypeScope = {
    names,
    document: names.document,
    component: (uid) => `components.${names.component(uid)}`,
    componentInput: (uid) => `components.${names.input(uid)}`,
  };
  const own = model.types.filter((type) => type.origin === 'project');
  return [
    `${NOTICE}import type * as api from './api.js';\nimport type * as components from './components.js';\n`,
    ...model.types.map((type) => printType(type, scope)),
    printMap('/** Collection types by their name in the URL: /api/<name>. */', names.collections, own.filter((type) => type.kind === 'collectionType'), (type) => type.pluralName, names),
    printMap('/** Single types by their name in the URL: /api/<name>. */', names.singleTypes, own.filter((type) => type.kind === 'singleType'), (type) => type.singularName, names),
  ].join('\n');
};

const componentsText = (model: ContentModel, names: TypeNames): string => {
  const scope: TypeScope = { names, document: (uid) => `types.${names.document(uid)}`, component: names.component, componentInput: names.input };
  const head = `${NOTICE}import type * as api from './api.js';\nimport type * as types from './content-types.js';\n`;
  return [head, ...model.components.map((component) => printComponent(component, scope)), ...(model.components.length === 0 ? ['export {};\n'] : [])].join('\n');
};

const indexText = (model: ContentModel): string => {
  const taken = new Set([...model.types, ...model.components].map((holder) => holder.typeName));
  const free = API_TYPE_NAMES.filter((name) => !taken.has(name));
  return `${NOTICE}export type * from './content-types.js';\nexport type * from './components.js';\nexport type { ${free.join(', ')} } from './api.js';\n`;
};

/**
 * The files of a project's types/ folder, for its front end: documents as the API answers them, inputs, filters and envelopes.
 * They import only one another and hold no code. Sorted by path; the same model gives the same bytes.
 *
 * @example import type { Article, ListResponse } from '../cms/types/index.js';
 */
export function printTypes(model: ContentModel): readonly GeneratedFile[] {
  const names = nameTypes(model);
  return [
    { path: 'types/api.d.ts', text: `${NOTICE}${API_TYPES}` },
    { path: 'types/components.d.ts', text: componentsText(model, names) },
    { path: 'types/content-types.d.ts', text: contentTypesText(model, names) },
    { path: 'types/index.d.ts', text: indexText(model) },
  ];
}
