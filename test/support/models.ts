import { fileURLToPath } from 'node:url';
import pluralize from 'pluralize';
import type { Definitions } from '../../src/model/content-types/definition.js';
import { loadDefinitions } from '../../src/model/content-types/load-definitions.js';
import { parseDefinitions } from '../../src/model/content-types/parse-definitions.js';
import type { SourceFile } from '../../src/model/content-types/parse-definitions.js';
import { buildModel } from '../../src/model/build-model.js';
import type { BuiltModel } from '../../src/model/build-model.js';
import type { ContentModel } from '../../src/model/model.js';

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A content-type as tests write it. Absent properties are derived from its name. */
export interface TypeLiteral {
  readonly kind?: 'collectionType' | 'singleType';
  readonly pluralName?: string;
  readonly collectionName?: string;
  readonly draftAndPublish?: boolean;
  readonly localized?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly attributes: Attributes;
  readonly indexes?: readonly { readonly name?: string; readonly columns: readonly string[] }[];
}

export interface ComponentLiteral {
  readonly attributes: Attributes;
}

export interface ProjectLiteral {
  /** By singularName; `article` becomes `api::article.article`. */
  readonly types?: Readonly<Record<string, TypeLiteral>>;
  /** By uid: `shared.seo`. */
  readonly components?: Readonly<Record<string, ComponentLiteral>>;
  /** The extension file of the user type. */
  readonly user?: { readonly attributes: Attributes };
}

/** The folder of a project fixture. */
export function fixtureProject(name: 'magazine' | 'launchpad'): string {
  return fileURLToPath(new URL(`../fixtures/projects/${name}`, import.meta.url));
}

const modelOrThrow = ({ model, problems }: BuiltModel): ContentModel => {
  if (model !== null) return model;
  throw new Error(
    problems
      .map(({ file, line, attribute, message }) => `${file}:${line} ${attribute ?? ''} ${message}`)
      .join('\n'),
  );
};

/** Loads the model of a project fixture. Throws if it has problems. */
export async function loadFixtureModel(name: 'magazine' | 'launchpad'): Promise<ContentModel> {
  return modelOrThrow(buildModel(await loadDefinitions(fixtureProject(name))));
}

/** Returns a plural that differs from the word. */
const pluralOf = (name: string): string => (pluralize(name) === name ? `${name}s` : pluralize(name));

const typeFile = (name: string, literal: TypeLiteral) => ({
  kind: literal.kind ?? 'collectionType',
  collectionName: literal.collectionName ?? pluralOf(name).replaceAll('-', '_'),
  info: { singularName: name, pluralName: literal.pluralName ?? pluralOf(name), displayName: name },
  options: { draftAndPublish: literal.draftAndPublish ?? false, ...literal.options },
  pluginOptions: literal.localized === true ? { i18n: { localized: true } } : {},
  attributes: literal.attributes,
  ...(literal.indexes === undefined ? {} : { indexes: literal.indexes }),
});

/** The schema files of a project written as object literals, with paths relative to the project. */
export function schemaFilesFrom({
  types = {},
  components = {},
  user,
}: ProjectLiteral): readonly SourceFile[] {
  const print = (value: unknown): string => JSON.stringify(value, null, 2);
  return [
    ...Object.entries(types).map(([name, literal]) => ({
      path: `src/api/${name}/content-types/${name}/schema.json`,
      text: print(typeFile(name, literal)),
    })),
    ...Object.entries(components).map(([uid, literal]) => ({
      path: `src/components/${uid.replace('.', '/')}.json`,
      text: print({
        collectionName: `components_${uid.replaceAll(/[.-]/g, '_')}`,
        info: { displayName: uid },
        attributes: literal.attributes,
      }),
    })),
    ...(user === undefined
      ? []
      : [{ path: 'src/extensions/users-permissions/content-types/user/schema.json', text: print(user) }]),
  ];
}

/** The definitions of a project written as object literals. */
export function definitionsFrom(project: ProjectLiteral): Definitions {
  return parseDefinitions(schemaFilesFrom(project));
}

/**
 * Builds the model of a project written as object literals. Throws if it has problems.
 *
 * @example
 *   modelFrom({ types: { tag: { attributes: { name: { type: 'string', required: true } } } } });
 */
export function modelFrom(project: ProjectLiteral): ContentModel {
  return modelOrThrow(buildModel(definitionsFrom(project)));
}
