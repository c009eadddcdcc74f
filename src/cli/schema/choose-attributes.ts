import { createError } from '../../errors/catalogue.js';
import type { NewType } from '../../scaffold/add-type.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import type { NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import { typeUid } from '../../scaffold/type-names.js';
import type { SchemaDefinition, SchemaProject } from '../../scaffold/schema-project.js';
import { createAttributePromptContext } from '../prompts/attribute-prompt-context.js';
import type { NewTarget, PromptedSchema } from '../prompts/attribute-prompt-context.js';
import { promptAttributes } from '../prompts/prompt-attributes.js';
import { runWizard } from '../prompts/wizard.js';
import type { Wizard } from '../prompts/wizard.js';
import type { Terminal } from '../terminal/terminal.js';

export interface AttributePromptDependencies {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
  readonly edits: SchemaProject;
}

/** The attributes of a schema, and the types that were made as targets of its relations. */
export interface ChosenAttributes {
  readonly attributes: readonly NamedAttribute[];
  readonly newTypes: readonly NewType[];
}

const newTypeOf = ({ names, attribute }: NewTarget, draftAndPublish: boolean): NewType => ({
  names,
  kind: 'collectionType',
  description: '',
  draftAndPublish,
  localized: false,
  attributes: [{ name: attribute, json: { type: 'string' } }],
});

const printNewType = ({ names: { singularName, pluralName }, attribute }: NewTarget): string =>
  `  new type ${singularName} (${pluralName}), ${attribute}: string`;

/** What Ctrl-C throws away. */
const describeDraft = (subject: string, attributes: readonly NamedAttribute[]): string =>
  attributes.length === 0 ? subject : `${subject} with ${attributes.map(({ name }) => name).join(', ')}`;

/** A schema whose attributes are asked for. */
export interface AttributeSubject extends PromptedSchema {
  /** `the content-type recipe` */
  readonly label: string;
  readonly draftAndPublish: boolean;
}

/** Asks for the attributes of a schema within a wizard. */
export async function askForAttributes(
  { prompter, info, setDraft }: Wizard,
  edits: SchemaProject,
  subject: AttributeSubject,
): Promise<ChosenAttributes> {
  const { context, newTargets } = createAttributePromptContext(edits, subject);
  const isUsed = (attributes: readonly NamedAttribute[], { names }: NewTarget): boolean =>
    attributes.some(({ json }) => json['target'] === typeUid(names));
  setDraft(subject.label);
  const attributes = await promptAttributes(prompter, context, {
    onAttribute: info,
    onDraft: (drafted) => setDraft(describeDraft(subject.label, drafted)),
    onReview: (summary) => info([summary, ...newTargets.map(printNewType)].join('\n')),
  });
  const newTypes = newTargets
    .filter((target) => isUsed(attributes, target))
    .map((target) => newTypeOf(target, subject.draftAndPublish));
  return { attributes, newTypes };
}

/**
 * Returns the attributes to add to an existing content-type or component: those of the command line, or those
 * answered in prompts.
 *
 * @throws `cli/missing-value`
 */
export async function chooseAttributes(
  { terminal, canPrompt, edits }: AttributePromptDependencies,
  schema: SchemaDefinition,
  shorthands: readonly string[],
): Promise<ChosenAttributes> {
  if (shorthands.length > 0) return { attributes: shorthands.map(parseAttributeShorthand), newTypes: [] };
  if (!canPrompt) throw createError('cli/missing-value', { label: '<attribute>' });
  const isType = 'kind' in schema;
  const name = isType ? schema.singularName : schema.name;
  const subject: AttributeSubject = {
    uid: schema.uid,
    name,
    label: `new attributes of ${name}`,
    kind: isType ? 'type' : 'component',
    localized: isType && schema.localized,
    draftAndPublish: isType && schema.draftAndPublish,
    attributes: schema.attributes,
    ...(isType ? { names: schema } : {}),
  };
  const chosen = await runWizard(terminal, (wizard) => askForAttributes(wizard, edits, subject));
  if (chosen.attributes.length === 0) throw createError('cli/declined');
  return chosen;
}

/** Returns the attributes of a new component. An empty list is allowed: attributes can be added later. */
export async function chooseComponentAttributes(
  { terminal, canPrompt, edits }: AttributePromptDependencies,
  { uid, name }: { readonly uid: string; readonly name: string },
  shorthands: readonly string[] | undefined,
): Promise<readonly NamedAttribute[]> {
  if (shorthands !== undefined || !canPrompt) return (shorthands ?? []).map(parseAttributeShorthand);
  const subject: AttributeSubject = {
    uid,
    name,
    label: `the component ${uid}`,
    kind: 'component',
    localized: false,
    draftAndPublish: false,
    attributes: [],
  };
  return (await runWizard(terminal, (wizard) => askForAttributes(wizard, edits, subject))).attributes;
}
