import { buildProjectSchema, printSdl } from '../../../../../src/api/graphql/schema/build-schema.js';
import { createExtensionService } from '../../../../../src/api/graphql/extension/evaluate-extensions.js';
import type {
  ExtensionConfiguration,
  ExtensionFactory,
  GraphqlExtensionService,
} from '../../../../../src/api/graphql/extension/configuration.js';
import { createSchemaExtension } from '../../../../../src/api/graphql/extension/create-schema-extension.js';
import type { SchemaExtensionDependencies } from '../../../../../src/api/graphql/extension/create-schema-extension.js';
import type { NamedCode } from '../../../../../src/api/graphql/extension/bind-rules.js';
import type { ContentModel } from '../../../../../src/model/model.js';
import type { GraphQLSchema } from 'graphql';

const namedCodeOf = (code: Readonly<Record<string, unknown>>): NamedCode => ({
  names: () => Object.keys(code),
  get: async (name) => code[name],
});

export interface ExtendedSchema {
  readonly schema: GraphQLSchema;
  readonly sdl: string;
  readonly warnings: readonly string[];
}

/** Builds the schema of a model with an extension. */
export async function buildExtendedSchema(
  model: ContentModel,
  extend: (graphql: GraphqlExtensionService) => void,
  code: Readonly<Record<string, unknown>> = {},
): Promise<ExtendedSchema> {
  const registrations = createExtensionService(model, () => 'src/index.ts');
  extend(registrations.service);
  const warnings: string[] = [];
  const extension = createSchemaExtension({
    registrations,
    app: {} as SchemaExtensionDependencies['app'],
    code: { policies: namedCodeOf(code), middlewares: namedCodeOf(code) },
    warn: (message) => warnings.push(message),
  });
  const schema = await buildProjectSchema(model, { shadowCRUD: true, isLocale: () => true }, extension);
  return { schema, sdl: printSdl(schema), warnings };
}

/** The parameter of `use`. */
export type Extension = ExtensionConfiguration | ExtensionFactory;

/** Returns the type of a field as SDL; undefined: there is no such field. */
export function fieldType(schema: GraphQLSchema, path: string): string | undefined {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  const fields = type !== undefined && 'getFields' in type ? type.getFields() : {};
  return Object.hasOwn(fields, fieldName) ? String(fields[fieldName]?.type) : undefined;
}
