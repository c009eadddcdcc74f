import { createError } from '../../errors/catalogue.js';
import { describeSchema } from './describe-type.js';
import type { McpCall, McpSession } from './mcp-services.js';
import { isServedType, permittedActions, visibleAttributes } from './tools/targets.js';

/** A document that clients read as a whole. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: (call: McpCall) => Promise<string> | string;
}

type Describe = Parameters<typeof describeSchema>;

const describe = ({ services }: McpCall, schema: Describe[2], isVisible: Describe[3]): object => {
  const { example: _example, ...rest } = describeSchema(
    services.model,
    services.definitions,
    schema,
    isVisible,
  );
  return rest;
};

/** Prints the types that the client may read or write, and the components. */
const printModel = (call: McpCall): string => {
  const { model } = call.services;
  const types = model.types.filter((type) => isServedType(type) && permittedActions(call, type).length > 0);
  return JSON.stringify([
    ...types.map((type) => describe(call, type, visibleAttributes(call, type))),
    ...Object.values(model.componentsByUid).map((component) => describe(call, component, () => true)),
  ]);
};

/** The document describes all types, so that only clients who may read all of them get it. */
const printOpenapi = ({ services, caller }: McpCall): string => {
  if (caller.grants.kind === 'actions')
    throw createError('mcp/forbidden', {
      action: 'read',
      type: 'the OpenAPI document',
      permission: 'to read all types',
    });
  return JSON.stringify(services.openapi());
};

/** Returns the resources of a session. Their number does not depend on the model. */
export function listResources({ docs }: Pick<McpSession, 'docs'>): readonly McpResource[] {
  return [
    {
      uri: 'galley://model',
      name: 'Content model',
      description: 'All content-types and components with their attributes.',
      mimeType: 'application/json',
      read: printModel,
    },
    {
      uri: 'galley://openapi',
      name: 'OpenAPI document',
      description: 'The REST API of this project. Long; describe_type is shorter.',
      mimeType: 'application/json',
      read: printOpenapi,
    },
    ...docs.map(({ name, title, read }) => ({
      uri: `galley://docs/${name}`,
      name: title,
      description: `Documentation of Galley: ${title}.`,
      mimeType: 'text/markdown',
      read,
    })),
  ];
}
