import { createError } from '../../errors/catalogue.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import type { NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import type { SchemaDefinition, SchemaProject } from '../../scaffold/schema-project.js';
import { promptAttributes } from '../prompts/prompt-attributes.js';
import { createPrompter } from '../prompts/prompt.js';
import { createAttributePromptContext } from '../prompts/attribute-prompt-context.js';
import type { Terminal } from '../terminal/terminal.js';

export interface AttributePromptDependencies {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
  readonly edits: SchemaProject;
  /** Prints a message to stderr. */
  readonly info: (text: string) => void;
}

/** Prints an attribute as it will be written to the file. */
export function printAttribute({ name, json }: NamedAttribute): string {
  return `  ${name}: ${JSON.stringify(json)}`;
}

/**
 * Returns the attributes to add to an existing content-type or component: those of the command line, or those
 * answered in prompts.
 *
 * @throws `cli/missing-value`
 */
export async function chooseAttributes(
  { terminal, canPrompt, edits, info }: AttributePromptDependencies,
  schema: SchemaDefinition,
  shorthands: readonly string[],
): Promise<readonly NamedAttribute[]> {
  if (shorthands.length > 0) return shorthands.map(parseAttributeShorthand);
  if (!canPrompt) throw createError('cli/missing-value', { label: '<attribute>' });
  const isType = 'kind' in schema;
  const context = createAttributePromptContext(edits, {
    uid: schema.uid,
    name: isType ? schema.singularName : schema.name,
    kind: isType ? 'type' : 'component',
    localized: isType && schema.localized,
    attributes: schema.attributes,
  });
  const attributes = await promptAttributes(createPrompter(terminal), context, (attribute) =>
    info(printAttribute(attribute)),
  );
  if (attributes.length === 0) throw createError('cli/declined');
  return attributes;
}

/** Returns the attributes of a new component. An empty list is allowed: attributes can be added later. */
export async function chooseComponentAttributes(
  { terminal, canPrompt, edits, info }: AttributePromptDependencies,
  { uid, name }: { readonly uid: string; readonly name: string },
  shorthands: readonly string[] | undefined,
): Promise<readonly NamedAttribute[]> {
  if (shorthands !== undefined || !canPrompt) return (shorthands ?? []).map(parseAttributeShorthand);
  const context = createAttributePromptContext(edits, {
    uid,
    name,
    kind: 'component',
    localized: false,
    attributes: [],
  });
  return promptAttributes(createPrompter(terminal), context, (attribute) => info(printAttribute(attribute)));
}
