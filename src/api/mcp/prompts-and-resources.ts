import { createError } from '../../errors/catalogue.js';
import { describeSchema } from './describe-type.js';
import type { McpCall, McpSession } from './mcp-services.js';
import { isServedType, permittedActions, visibleAttributes } from './tools/tool.js';

/** A text that people start a task with. */
interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly text: (args: Readonly<Record<string, string>>) => string;
}

const PLANS =
  'A call that returns a plan has changed nothing. Read the plan, show it to me if it loses content, and ' +
  'repeat the call with confirm.';

export const MCP_PROMPTS: readonly McpPrompt[] = [
  {
    name: 'model-a-site',
    title: 'Model a site',
    description: 'Design the content-types of a site and create them.',
    args: [{ name: 'site', description: 'The site in a few sentences.', required: true }],
    text: ({ site = '' }) =>
      [
        `Model the content of this site: ${site}`,
        '1. Call list_types to see what exists. Read the resource galley://docs/content-types.',
        '2. Propose content-types, components and relations. Use components for parts that repeat, a ' +
          'dynamic zone for free page layouts, a uid for addresses, drafts for content that people review, ' +
          'and localized types only if the site has several languages. Wait for my approval.',
        '3. Call change_schema once with all changes, components first.',
        `4. ${PLANS}`,
        '5. Create one example document of each type, as a draft.',
      ].join('\n'),
  },
  {
    name: 'import-a-table',
    title: 'Import a table',
    description: 'Turn the rows of a table into documents.',
    args: [
      { name: 'table', description: 'The rows as CSV or JSON, or the path of the file.', required: true },
      { name: 'type', description: 'The content-type.', required: true },
    ],
    text: ({ table = '', type = '' }) =>
      [
        `Import this table as documents of ${type}:`,
        table,
        `1. Call describe_type for ${type}. Match columns to attributes, and list the columns without one.`,
        '2. For relations, look up documentIds with find. Create missing targets first.',
        '3. Call create with items: up to 100 rows at once, as drafts.',
        `4. ${PLANS}`,
        '5. Compare the total of find with the number of rows.',
      ].join('\n'),
  },
  {
    name: 'translate',
    title: 'Translate documents',
    description: 'Translate the documents of a type into another language.',
    args: [
      { name: 'type', description: 'The content-type.', required: true },
      { name: 'locale', description: 'The locale to translate into, such as de.', required: true },
      { name: 'from', description: 'The source locale. Default: the default locale.', required: false },
    ],
    text: ({ type = '', locale = '', from = 'the default locale' }) =>
      [
        `Translate the documents of ${type} from ${from} into ${locale}.`,
        `1. Call list_types: the locale ${locale} must exist. Call describe_type for ${type}: attributes ` +
          'with sharedByLocales are not translated.',
        '2. Call find in the source locale with the attributes to translate, page by page. Read texts that ' +
          'are cut with get and path.',
        `3. Call update with items: the documentId, the data and the locale ${locale} of each. Keep ` +
          'Markdown, links and the ids of components. Do not translate slugs unless I ask for it.',
        `4. ${PLANS}`,
      ].join('\n'),
  },
];

/** A document that clients read as a whole. */
interface McpResource {
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
